import Foundation
import PrivateFiles
import PurchaseModel

/// The bytes of a download so far, named after the content's hash: bytes of another version never get mixed in.
struct PartialFile: Sendable {
    let path: String

    init(folder: String, sha256: String) {
        path = "\(folder)/\(sha256).partial"
    }

    /// How many bytes are there.
    var length: Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Opens the file for writing at its end, or empty.
    func open(keeping: Bool) throws(ContentError) -> FileHandle {
        do { try PrivateFiles.makeFile(path) } catch { throw .storage(reason: "its file can't be made") }
        do {
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            if keeping { try handle.seekToEnd() } else { try handle.truncate(atOffset: 0) }
            return handle
        } catch {
            throw .storage(reason: "its file can't be opened")
        }
    }

    /// Throws the bytes away.
    func discard() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Computes the SHA-256 of the whole file in constant memory, as lower-case hexadecimal.
    func sha256() throws(ContentError) -> String {
        do {
            return Hexadecimal.encode(try FileDigest.sha256(path))
        } catch {
            throw .storage(reason: "its file can't be read")
        }
    }
}
