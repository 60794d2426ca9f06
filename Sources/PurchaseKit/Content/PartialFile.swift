import Foundation
import PrivateFiles
import PurchaseModel

/// The file with the bytes that a download has received so far.
///
/// The file is named after the content's hash, so that bytes of different versions are never mixed.
struct PartialFile: Sendable {
    let path: String

    init(folder: String, sha256: String) {
        path = "\(folder)/\(sha256).partial"
    }

    /// The number of bytes in the file; 0 if the file does not exist.
    var length: Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Opens the file for writing, and creates it if necessary; if `keeping` is false, its bytes are removed.
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

    /// Deletes the file.
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
