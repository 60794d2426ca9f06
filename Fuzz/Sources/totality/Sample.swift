import Foundation
import FuzzSupport

/// Signed bytes that a trial damages.
struct Sample {
    let name: String
    let kind: Kind
    let bytes: [UInt8]
    /// The range of bytes with all 255 other values.
    ///
    /// The remaining bytes have one other value.
    let thorough: Range<Int>

    /// The kind of signed data, which selects the parser.
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

    /// Returns the samples of at most 16 KiB in a folder that `scripts/samples` created: receipts, and one JWS of each kind.
    ///
    /// The first 1,024 bytes have all other values. All JWS have the same header. For a JWS other than a transaction, the range
    /// therefore starts with the payload.
    static func made(in folder: URL) throws -> [Sample] {
        try files(in: folder).filter { $0.bytes.count <= 16 << 10 }.map { name, kind, bytes in
            let isPayload = kind == .signedData && name != "transactions.jws"
            let start = isPayload ? bytes.firstIndex(of: UInt8(ascii: ".")) ?? 0 : 0
            return Sample(name: name, kind: kind, bytes: bytes, thorough: start..<min(bytes.count, start + 1024))
        }
    }

    /// Returns the forgeries of `Tests/Forgeries`, most of which are similar to the other samples.
    static func forgeries(in folder: URL) throws -> [Sample] {
        try ["receipts", "transaction-receipts", "jws"].flatMap { try files(in: folder.appending(path: $0)) }.map { name, kind, bytes in
            Sample(name: name, kind: kind, bytes: bytes, thorough: 0..<0)
        }
    }

    /// Returns the samples in a folder.
    ///
    /// A file with several JWS has the first one as the sample.
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
