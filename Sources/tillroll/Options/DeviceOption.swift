import ArgumentParser
import Foundation

/// What a receipt is bound to, on the command line: the UUID of an iPhone's app, or the network address of a Mac.
enum DeviceOption: ExpressibleByArgument, Sendable {
    case identifier(UUID)
    case macAddress([UInt8])

    init?(argument: String) {
        if let uuid = UUID(uuidString: argument) {
            self = .identifier(uuid)
            return
        }
        let parts = argument.split(maxSplits: 6, whereSeparator: { $0 == ":" || $0 == "-" })
        let bytes = parts.compactMap { $0.count == 2 ? UInt8($0, radix: 16) : nil }
        guard parts.count == 6, bytes.count == 6 else { return nil }
        self = .macAddress(bytes)
    }

    /// The bytes that go into the hash of a receipt.
    var bytes: [UInt8] {
        switch self {
        case .identifier(let uuid): withUnsafeBytes(of: uuid.uuid) { Array($0) }
        case .macAddress(let bytes): bytes
        }
    }
}
