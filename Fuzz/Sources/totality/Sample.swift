import Foundation
import FuzzSupport

/// Signed bytes that are damaged in every way.
struct Sample {
    let name: String
    let kind: Kind
    let bytes: [UInt8]

    /// The bytes that take every other value: the first 1,024.
    ///
    /// The header of a JWS is the same whatever it signs, so but for transactions they are the first ones of the payload.
    var thorough: Range<Int> {
        var start = 0
        if kind == .signedData, name != "transactions.jws", let dot = bytes.firstIndex(of: UInt8(ascii: ".")) { start = dot }
        return start..<min(bytes.count, start + 1024)
    }

    /// What the bytes are, and so who is to read them.
    enum Kind {
        case receipt
        case signedData
        case transactionReceipt
    }

    /// The samples of a folder that `scripts/samples` made: receipts of up to ten purchases, and one JWS of each kind.
    static func made(in folder: URL) throws -> [Sample] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .compactMap { file in
                let bytes = try Array(Data(contentsOf: file))
                let name = file.lastPathComponent
                switch file.pathExtension {
                case "der": return bytes.count <= 16 << 10 ? Sample(name: name, kind: .receipt, bytes: bytes) : nil
                case "plist": return Sample(name: name, kind: .transactionReceipt, bytes: bytes)
                case "jws": return Sample(name: name, kind: .signedData, bytes: Array(bytes.prefix { $0 != UInt8(ascii: "\n") }))
                default: return nil
                }
            }
    }
}
