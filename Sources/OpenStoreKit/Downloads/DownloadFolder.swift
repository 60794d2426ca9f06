import Foundation
import PrivateFiles
import PurchaseModel

/// The folder for the bytes of one download.
struct DownloadFolder: Sendable {
    private let path: String
    private let name: String

    init(_ record: DownloadRecord, in folder: String) {
        path = folder + "/Downloads/" + Self.name(record.transaction.rawValue)
        name = Self.name(record.productID.rawValue)
    }

    /// Converts a text to a file name that can't refer outside the folder.
    private static func name(_ text: String) -> String {
        var allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
        if text.allSatisfy({ $0 == "." }) { allowed.remove(".") }
        return String((text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "content").suffix(200))
    }

    private var partial: String { path + "/partial" }
    /// The path that the app receives: the content in `Contents`, and `ContentInfo.plist`.
    var contentPath: String { path + "/" + name }

    /// The number of received bytes.
    var received: Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: partial)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Opens the file of the received bytes, to continue at an offset.
    func open(from offset: Int64) throws -> FileHandle {
        try PrivateFiles.createFolder(path)
        try PrivateFiles.createFile(partial)
        let handle = try FileHandle(forWritingTo: URL(filePath: partial))
        try handle.truncate(atOffset: UInt64(clamping: offset))
        try handle.seekToEnd()
        return handle
    }

    /// The SHA-256 of all received bytes, in lower-case hexadecimal, computed in constant memory.
    func sha256() throws -> String {
        Hexadecimal.encode(try FileDigest.sha256(partial))
    }

    /// Moves the received content to its final location.
    func install(_ content: HostedContent, of product: ProductID) throws {
        try? FileManager.default.removeItem(atPath: contentPath)
        try PrivateFiles.createFolder(contentPath + "/Contents")
        let info = ["ContentVersion": content.version, "IAPProductIdentifier": product.rawValue]
        let list = try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
        try DurableFile.replace(contentPath + "/ContentInfo.plist", with: list)
        try DurableFile.move(partial, to: contentPath + "/Contents/" + name)
    }

    /// Deletes the folder.
    func discard() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
