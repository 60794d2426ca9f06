import ContentManifest
import Foundation
import FoundationExtras
import PrivateFiles

/// The file with the bytes that a download has received so far.
///
/// The file is named after the content's hash, so that bytes of different versions are never mixed.
struct PartialFile: Sendable {
    /// The arrangement of the bytes in a file; a download continues only a file with the same arrangement.
    enum Kind: String {
        /// The first bytes of the content, without gaps.
        case beginning = "partial"
        /// Verified chunks, with gaps between them.
        case chunks
    }

    let path: String

    init(folder: String, sha256: String, kind: Kind = .beginning) {
        path = "\(folder)/\(sha256).\(kind.rawValue)"
    }

    /// The number of bytes in the file; 0 if the file does not exist.
    var length: Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Opens the file for writing, and creates it if necessary; removes the bytes if `keeping` is false.
    func open(keeping: Bool) throws(ContentError) -> FileHandle {
        do { try PrivateFiles.createFile(path) } catch { throw .storage(reason: "the file can't be created") }
        do {
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            if keeping { try handle.seekToEnd() } else { try handle.truncate(atOffset: 0) }
            return handle
        } catch {
            throw .storage(reason: "the file can't be opened")
        }
    }

    /// Extends the file to its final length, with gaps for missing chunks.
    func extend(to length: Int64) throws(ContentError) {
        let handle = try open(keeping: true)
        do {
            try handle.truncate(atOffset: UInt64(clamping: length))
            try handle.close()
        } catch {
            throw .storage(reason: "the file can't be extended")
        }
    }

    /// Returns the chunks of a manifest that are missing or damaged in the file; all chunks if the file does not exist.
    ///
    /// The file is read completely, because a separate record of the chunks could differ from the bytes after a crash.
    func missingChunks(of manifest: ContentManifest) throws(ContentError) -> [Int] {
        let all = manifest.chunks.indices
        guard FileManager.default.fileExists(atPath: path) else { return Array(all) }
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? handle.close() }
            var missing: [Int] = []
            for index in all {
                guard !Task.isCancelled else { throw ContentError.interrupted(received: 0) }
                let bytes = try handle.read(upToCount: Int(ContentManifest.chunkLength)) ?? Data()
                if (try? manifest.verify(bytes, asChunk: index)) == nil { missing.append(index) }
            }
            return missing
        } catch let error as ContentError {
            throw error
        } catch {
            throw .storage(reason: "the file can't be read")
        }
    }

    /// Flushes the bytes in the system's memory to the disk.
    func synchronize() throws(ContentError) {
        do {
            let handle = try open(keeping: true)
            try handle.synchronize()
            try handle.close()
        } catch {
            throw .storage(reason: "the file can't be written")
        }
    }

    func discard() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the SHA-256 of the file's bytes in lower-case hexadecimal, reading the file part by part.
    func sha256() throws(ContentError) -> String {
        do {
            return Hexadecimal.encode(try FileDigest.sha256(path))
        } catch {
            throw .storage(reason: "the file can't be read")
        }
    }
}
