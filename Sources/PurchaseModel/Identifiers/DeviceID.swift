public import Foundation

/// The identifier of a device for one vendor: the 16 bytes that receipts are bound to.
public struct DeviceID: WireIdentifier {
    /// The identifier as it travels: a lower-case UUID.
    public let rawValue: String

    /// Wraps a text that is known to be such an identifier; upper-case UUIDs become lower-case.
    public init(_ rawValue: String) {
        self.rawValue = rawValue.lowercased()
    }

    /// Makes the identifier of a device.
    public init(_ uuid: UUID) {
        self.init(uuid.uuidString)
    }

    /// The bytes that go into a receipt's device hash, in printed order; nil when the text is no UUID.
    public var bytes: [UInt8]? {
        guard let uuid = IdentifierText.uuid(rawValue)?.uuid else { return nil }
        return [
            uuid.0, uuid.1, uuid.2, uuid.3, uuid.4, uuid.5, uuid.6, uuid.7,
            uuid.8, uuid.9, uuid.10, uuid.11, uuid.12, uuid.13, uuid.14, uuid.15,
        ]
    }
}
