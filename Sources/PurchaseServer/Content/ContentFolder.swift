import Foundation
import NIOPosix
import PrivateFiles
import PurchaseModel
import Synchronization

/// The folder with the products' files.
///
/// The names of the files come from the catalog only, so that a request can't name another file.
final class ContentFolder: Sendable {
    /// The number of bytes that a download reads from a file at a time.
    static let chunkSize = 64 << 10

    private let path: String
    private let digests: Mutex<[String: ContentFile]> = Mutex([:])

    /// Names the folder by its path, without accessing it.
    init(path: String) {
        self.path = path
    }

    /// Returns whether a product has a file that exists in the folder.
    func holdsFile(of product: ServerProduct) -> Bool {
        path(of: product).flatMap(Self.stamp) != nil
    }

    /// Returns the file of a product.
    ///
    /// The first call, and the first call after a change of the file, read the whole file for its digest; other calls read its length
    /// and date only.
    ///
    /// - Throws: ``ContentRefusal`` if the product has no file, or the file does not exist; an error of the file system.
    func file(of product: ServerProduct) async throws -> ContentFile {
        guard let path = path(of: product) else { throw ContentRefusal.noFile(product.id) }
        let found: ContentFile? = try await NIOThreadPool.singleton.runIfActive { [self] in
            guard let (length, modified) = Self.stamp(path) else { return nil }
            if let known = digests.withLock({ $0[path] }), known.length == length, known.modified == modified { return known }
            let file = ContentFile(path: path, length: length, modified: modified, sha256: try Self.digest(path))
            digests.withLock { $0[path] = file }
            return file
        }
        guard let found else { throw ContentRefusal.fileMissing(product.id) }
        return found
    }

    private func path(of product: ServerProduct) -> String? {
        product.file.map { URL(fileURLWithPath: path, isDirectory: true).appending(component: $0).path(percentEncoded: false) }
    }

    private static func stamp(_ path: String) -> (length: Int64, modified: Date)? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            attributes[.type] as? FileAttributeType == .typeRegular,
            let length = (attributes[.size] as? NSNumber)?.int64Value,
            let modified = attributes[.modificationDate] as? Date
        else { return nil }
        return (length, modified)
    }

    private static func digest(_ path: String) throws -> String {
        Hexadecimal.encode(try FileDigest.sha256(path))
    }
}
