import Foundation
import PrivateFiles
import PurchaseModel

/// Where the bytes of one download lie.
struct DownloadFolder: Sendable {
    private let path: String
    private let name: String

    init(_ record: DownloadRecord, in folder: String) {
        path = folder + "/Downloads/" + Self.name(record.transaction.rawValue)
        name = Self.name(record.productID.rawValue)
    }

    /// A text as a file name: whatever it says, it stays in its folder.
    private static func name(_ text: String) -> String {
        var allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
        if text.allSatisfy({ $0 == "." }) { allowed.remove(".") }
        return String((text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "content").suffix(200))
    }

    private var partial: String { path + "/partial" }
    /// What the app is given: the content in `Contents`, and `ContentInfo.plist`.
    var place: String { path + "/" + name }

    /// How many bytes are there.
    var received: Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: partial)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Opens the file of the bytes so far, to go on from one of them.
    func open(from offset: Int64) throws -> FileHandle {
        try PrivateFiles.makeFolder(path)
        try PrivateFiles.makeFile(partial)
        let handle = try FileHandle(forWritingTo: URL(filePath: partial))
        try handle.truncate(atOffset: UInt64(clamping: offset))
        try handle.seekToEnd()
        return handle
    }

    /// The SHA-256 of all that came, in lower-case hexadecimal, read in constant memory.
    func sha256() throws -> String {
        Hexadecimal.encode(try FileDigest.sha256(partial))
    }

    /// Puts all that came into its place.
    func install(_ content: HostedContent, of product: ProductID) throws {
        try? FileManager.default.removeItem(atPath: place)
        try PrivateFiles.makeFolder(place + "/Contents")
        let info = ["ContentVersion": content.version, "IAPProductIdentifier": product.rawValue]
        let list = try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
        try DurableFile.replace(place + "/ContentInfo.plist", with: list)
        try DurableFile.move(partial, to: place + "/Contents/" + name)
    }

    /// Throws everything away.
    func discard() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
