public import PurchaseModel

/// Refuses receipts made for another device.
///
/// A receipt is bound to a device by attribute 5: SHA-1 over the device's bytes, attribute 4 and the octets of attribute 2.
/// A backup restored to another device fails this check and an honest user is behind it: refresh the receipt.
public struct DeviceHashCheck: ReceiptCheck {
    private let guid: [UInt8]?

    /// Creates the check for a Mac, whose identifier is the six bytes of its MAC address.
    public init(guid: [UInt8]) {
        self.guid = guid
    }

    /// Creates the check for one device; no receipt passes when the identifier is not a UUID.
    public init(_ device: DeviceID) {
        guid = device.bytes
    }

    /// Names what is looked at.
    public var name: String { "device" }

    /// The rule: the hash is of our device.
    public var rule: String { "The hash of device, attribute 4 and bundle is attribute 5." }

    /// How long the receipt's hash is; the hash itself says nothing to anybody.
    public func saw(_ payload: ReceiptPayload) -> String { "a hash of \(payload.deviceHash.count) bytes" }

    /// Throws ``Refusal/Reason/foreignDevice`` unless the device hash is ours.
    public func examine(_ payload: ReceiptPayload) throws(Refusal) {
        guard let guid,
            DeviceHash.bytes(guid: guid, opaqueValue: payload.opaqueValue, bundleOctets: payload.bundleOctets) == payload.deviceHash
        else { throw Refusal(.foreignDevice, at: "receipt.5") }
    }
}
