import Crypto
public import Foundation
public import PurchaseModel

/// Refuses app receipts that are bound to another device.
///
/// Attribute 5 binds a receipt to a device. The attribute is the SHA-1 of the device identifier, attribute 4 and the octets of attribute 2.
/// After a backup is restored on another device, the receipt fails this check until the app refreshes it.
public struct DeviceHashCheck: ReceiptCheck {
    private let guid: [UInt8]?

    /// Creates a check for a device by the bytes of its identifier: on a Mac, the six bytes of the MAC address.
    public init(guid: [UInt8]) {
        self.guid = guid
    }

    /// Creates a check for a device by its `identifierForVendor`.
    ///
    /// When the identifier is not a UUID, the check refuses every receipt.
    public init(_ device: DeviceID) {
        guid = device.bytes
    }

    /// The name of the check in explanations: `device`.
    public var name: String { "device" }

    /// The rule that attribute 5 must match the device, as a sentence for explanations.
    public var rule: String { "Attribute 5 must be the SHA-1 of the device identifier, attribute 4 and attribute 2." }

    /// Returns the length of attribute 5 as text.
    public func observed(in receipt: AuthenticReceipt) -> String { "attribute 5 of \(receipt.payload.deviceHash.count) bytes" }

    /// Checks that attribute 5 of the receipt is the hash for the device.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/foreignDevice`` when the receipt is bound to another device.
    public func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) {
        guard matches(receipt.payload) else { throw .refused(Refusal(.foreignDevice, at: "receipt.5")) }
    }

    /// Returns whether attribute 5 of a receipt is the hash for the device.
    package func matches(_ payload: ReceiptPayload) -> Bool {
        guard let guid else { return false }
        return DeviceHash.bytes(guid: guid, opaqueValue: payload.opaqueValue, bundleOctets: payload.bundleOctets) == payload.deviceHash
    }
}

/// Computes the hash that binds an app receipt to a device.
package enum DeviceHash {
    /// Returns the SHA-1 of the device identifier, attribute 4 and the octets of attribute 2, concatenated in this order.
    ///
    /// - Parameters:
    ///   - guid: The 16 bytes of the device's UUID in printed order, or the six bytes of a Mac's MAC address.
    ///   - opaqueValue: The octets of attribute 4.
    ///   - bundleOctets: The octets of attribute 2: the bundle identifier as a UTF8String, with its tag and length.
    package static func bytes(guid: [UInt8], opaqueValue: [UInt8], bundleOctets: [UInt8]) -> [UInt8] {
        Array(Insecure.SHA1.hash(data: guid + opaqueValue + bundleOctets))
    }
}

/// Refuses signed data that is not bound to the device.
///
/// The App Store binds signed data to the device that requests it. The member `deviceVerification` is the SHA-384 of a nonce and the device
/// verification identifier, both as lower-case UUIDs. Notifications, and data that a server requested, are bound to no device, so the check
/// refuses them.
public struct DeviceVerificationCheck: SignedDataCheck {
    private let identifier: String

    /// Creates a check for the device with a device verification identifier (StoreKit's `AppStore.deviceVerificationID`).
    public init(_ identifier: UUID) {
        self.identifier = identifier.uuidString.lowercased()
    }

    /// The name of the check in explanations: `device`.
    public var name: String { "device" }

    /// The rule that `deviceVerification` must match the device, as a sentence for explanations.
    public var rule: String { "deviceVerification must be the SHA-384 of the nonce and the device verification identifier." }

    /// Returns `bound to a device` or `bound to no device`.
    public func observed(in data: AuthenticSignedData) -> String {
        data.claims.deviceVerification == nil ? "bound to no device" : "bound to a device"
    }

    /// Checks that the signed data is bound to the device.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/foreignDevice`` when the data is bound to another device or to no device.
    public func examine(_ data: AuthenticSignedData) throws(VerificationFailure) {
        do throws(Refusal) { try examine(data.claims) } catch { throw .refused(error) }
    }

    /// Checks that the claims of signed data bind it to the device.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/foreignDevice`` when the data is bound to another device or to no device.
    package func examine(_ claims: SignedDataClaims) throws(Refusal) {
        // The hash covers the nonce in lower case, and the member can have the nonce in upper case. Parsing it as a UUID normalizes it.
        guard let nonce = claims.deviceVerificationNonce.flatMap(UUID.init), let stated = claims.deviceVerification,
            Self.verification(nonce: nonce, identifier: identifier) == stated
        else { throw Refusal(.foreignDevice, at: "payload.deviceVerification") }
    }

    private static func verification(nonce: UUID, identifier: String) -> String {
        let text = nonce.uuidString.lowercased() + identifier
        return Data(SHA384.hash(data: Data(text.utf8))).base64EncodedString()
    }
}
