import ArgumentParser
import Foundation

/// The device to which a receipt is bound, on the command line: the `identifierForVendor` of an app on an iPhone, or the MAC address of a
/// Mac.
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

    /// The bytes that enter the receipt's hash.
    var bytes: [UInt8] {
        switch self {
        case .identifier(let uuid): withUnsafeBytes(of: uuid.uuid) { Array($0) }
        case .macAddress(let bytes): bytes
        }
    }
}
