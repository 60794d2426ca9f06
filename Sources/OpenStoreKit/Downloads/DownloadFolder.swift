import Foundation
import FoundationExtras
import PrivateFiles
import PurchaseModel

/// The folder for the partial and the complete content of one download.
struct DownloadFolder: Sendable {
    private let path: String
    private let name: String

    init(_ record: DownloadRecord, in folder: String) {
        path = folder + "/Downloads/" + Self.name(record.transaction.rawValue)
        name = Self.name(record.productID.rawValue)
    }

    /// Converts a text to a file name that can't refer to a path outside the folder.
    private static func name(_ text: String) -> String {
        var allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
        if text.allSatisfy({ $0 == "." }) { allowed.remove(".") }
        return String((text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "content").suffix(200))
    }

    private var partial: String { path + "/partial" }
    /// The path of the complete content that the app receives: a folder with `ContentInfo.plist` and the folder `Contents`.
    var contentPath: String { path + "/" + name }

    /// The number of bytes in the file of the partial content.
    var received: Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: partial)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Opens the file of the partial content, and truncates it to the bytes before an offset.
    func open(from offset: Int64) throws -> FileHandle {
        try PrivateFiles.createFolder(path)
        try PrivateFiles.createFile(partial)
        let handle = try FileHandle(forWritingTo: URL(filePath: partial))
        try handle.truncate(atOffset: UInt64(clamping: offset))
        try handle.seekToEnd()
        return handle
    }

    /// Returns the SHA-256 of the partial content, in lower-case hexadecimal; uses constant memory.
    func sha256() throws -> String {
        Hexadecimal.encode(try FileDigest.sha256(partial))
    }

    /// Moves the partial content, whose bytes are all received, to ``contentPath``.
    func install(_ content: HostedContent, of product: ProductID) throws {
        try? FileManager.default.removeItem(atPath: contentPath)
        try PrivateFiles.createFolder(contentPath + "/Contents")
        let info = ["ContentVersion": content.version, "IAPProductIdentifier": product.rawValue]
        let list = try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
        try DurableFile.replace(contentPath + "/ContentInfo.plist", with: list)
        try DurableFile.move(partial, to: contentPath + "/Contents/" + name)
    }

    /// Deletes the folder with the partial and the complete content.
    func discard() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
