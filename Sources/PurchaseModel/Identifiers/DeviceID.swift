public import Foundation

/// The identifier of a device for one vendor (`identifierForVendor`), whose 16 bytes bind receipts to the device.
public struct DeviceID: WireIdentifier {
    /// The identifier as text: a lower-case UUID.
    public let rawValue: String

    /// Creates an identifier from text, which is converted to lower case and not validated.
    public init(_ rawValue: String) {
        self.rawValue = rawValue.lowercased()
    }

    /// Creates an identifier from a UUID.
    public init(_ uuid: UUID) {
        self.init(uuid.uuidString)
    }

    /// The 16 bytes of the UUID, in printed order, for the device hash of a receipt; nil when the identifier is not a UUID.
    public var bytes: [UInt8]? {
        guard let uuid = IdentifierText.uuid(rawValue)?.uuid else { return nil }
        return [
            uuid.0, uuid.1, uuid.2, uuid.3, uuid.4, uuid.5, uuid.6, uuid.7,
            uuid.8, uuid.9, uuid.10, uuid.11, uuid.12, uuid.13, uuid.14, uuid.15,
        ]
    }
}
