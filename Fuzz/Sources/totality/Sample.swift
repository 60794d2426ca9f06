import Foundation
import FuzzSupport

/// Signed bytes that are damaged in every way.
struct Sample {
    let name: String
    let kind: Kind
    let bytes: [UInt8]
    /// The bytes that take every other value; the rest take one.
    let thorough: Range<Int>

    /// What the bytes are, and so who is to read them.
    enum Kind {
        case receipt
        case signedData
        case transactionReceipt

        init?(fileExtension: String) {
            switch fileExtension {
            case "der", "ber": self = .receipt
            case "jws": self = .signedData
            case "plist": self = .transactionReceipt
            default: return nil
            }
        }
    }

    /// The samples of a folder that `scripts/samples` made: receipts of up to ten purchases, and one JWS of each kind.
    ///
    /// Their first 1,024 bytes take every other value. The header of a JWS is the same whatever it signs, so but for transactions
    /// those are the first bytes of its payload.
    static func made(in folder: URL) throws -> [Sample] {
        try files(in: folder).filter { $0.bytes.count <= 16 << 10 }.map { name, kind, bytes in
            let isPayload = kind == .signedData && name != "transactions.jws"
            let start = isPayload ? bytes.firstIndex(of: UInt8(ascii: ".")) ?? 0 : 0
            return Sample(name: name, kind: kind, bytes: bytes, thorough: start..<min(bytes.count, start + 1024))
        }
    }

    /// The forgeries of `Tests/Forgeries`, most of which differ in little from the samples that were made.
    static func forgeries(in folder: URL) throws -> [Sample] {
        try ["receipts", "transaction-receipts", "jws"].flatMap { try files(in: folder.appending(path: $0)) }.map { name, kind, bytes in
            Sample(name: name, kind: kind, bytes: bytes, thorough: 0..<0)
        }
    }

    /// The files of a folder that are samples; of several JWS the first.
    private static func files(in folder: URL) throws -> [(name: String, kind: Kind, bytes: [UInt8])] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .compactMap { file in
                guard let kind = Kind(fileExtension: file.pathExtension) else { return nil }
                let bytes = try Array(Data(contentsOf: file))
                let newline = UInt8(ascii: "\n")
                return (file.lastPathComponent, kind, kind == .signedData ? Array(bytes.prefix { $0 != newline }) : bytes)
            }
    }
}
