import Foundation
import PrivateFiles
import PurchaseModel

/// The file of a download's received bytes, named after the content's hash so that versions are never mixed.
struct PartialFile: Sendable {
    let path: String

    init(folder: String, sha256: String) {
        path = "\(folder)/\(sha256).partial"
    }

    /// The number of received bytes.
    var length: Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Opens the file for writing: at its end if `keeping` is true, otherwise emptied.
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

    /// Computes the SHA-256 of the whole file in constant memory, as lower-case hexadecimal.
    func sha256() throws(ContentError) -> String {
        do {
            return Hexadecimal.encode(try FileDigest.sha256(path))
        } catch {
            throw .storage(reason: "the file can't be read")
        }
    }
}
