import Foundation
import NIOPosix
import PrivateFiles
import PurchaseModel
import Synchronization

/// The folder with the products' files.
///
/// A file is found only by its name in the catalog, never by a name in a request.
final class ContentFolder: Sendable {
    /// The number of bytes in memory for each download.
    static let chunkSize = 64 << 10

    private let path: String
    private let digests: Mutex<[String: ContentFile]> = Mutex([:])

    /// Creates a folder at a path.
    init(path: String) {
        self.path = path
    }

    /// Whether a product's file exists; does not read the file.
    func holdsFile(of product: ServerProduct) -> Bool {
        path(of: product).flatMap(Self.stamp) != nil
    }

    /// The file of a product.
    ///
    /// Cost: reads the file's length and date; the first time, and after each change, also reads the whole file.
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
