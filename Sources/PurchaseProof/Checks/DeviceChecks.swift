import Crypto
public import Foundation
public import PurchaseModel

/// Refuses receipts for another device.
///
/// Attribute 5 binds a receipt to a device: SHA-1 over the device identifier, attribute 4 and the octets of attribute 2. A backup that
/// is restored on another device fails this check: refresh the receipt.
public struct DeviceHashCheck: ReceiptCheck {
    private let guid: [UInt8]?

    /// Creates the check for a Mac, whose identifier is the six bytes of its MAC address.
    public init(guid: [UInt8]) {
        self.guid = guid
    }

    /// Creates the check for one device.
    ///
    /// No receipt passes when the identifier is not a UUID.
    public init(_ device: DeviceID) {
        guid = device.bytes
    }

    /// `device`.
    public var name: String { "device" }

    /// The hash matches the device.
    public var rule: String { "Attribute 5 is the SHA-1 of device identifier, attribute 4 and attribute 2." }

    /// The length of the hash.
    public func observed(in receipt: AuthenticReceipt) -> String { "a hash of \(receipt.payload.deviceHash.count) bytes" }

    /// Throws ``Refusal/Reason/foreignDevice`` unless the hash matches the device.
    public func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) {
        guard matches(receipt.payload) else { throw .refused(Refusal(.foreignDevice, at: "receipt.5")) }
    }

    /// Whether the hash of a receipt matches the device.
    package func matches(_ payload: ReceiptPayload) -> Bool {
        guard let guid else { return false }
        return DeviceHash.bytes(guid: guid, opaqueValue: payload.opaqueValue, bundleOctets: payload.bundleOctets) == payload.deviceHash
    }
}

/// The hash that binds a receipt to a device.
package enum DeviceHash {
    /// SHA-1( GUID ‖ attribute 4 ‖ octets of attribute 2, with their tag and length ).
    ///
    /// - Parameters:
    ///   - guid: The 16 bytes of the device's UUID in printed order, or the six bytes of a Mac's MAC address.
    ///   - opaqueValue: Attribute 4.
    ///   - bundleOctets: The octets of attribute 2, not its text.
    package static func bytes(guid: [UInt8], opaqueValue: [UInt8], bundleOctets: [UInt8]) -> [UInt8] {
        Array(Insecure.SHA1.hash(data: guid + opaqueValue + bundleOctets))
    }
}

/// Refuses signed data for another device.
///
/// Signed data that a device requested is bound to it: `deviceVerification` is SHA-384 over the nonce and the device verification
/// identifier, both as lower-case UUIDs. Notifications and data that a server requested are bound to no device and do not pass.
public struct DeviceVerificationCheck: SignedDataCheck {
    private let identifier: String

    /// Creates the check for the device whose `AppStore.deviceVerificationID` this is.
    public init(_ identifier: UUID) {
        self.identifier = identifier.uuidString.lowercased()
    }

    /// `device`.
    public var name: String { "device" }

    /// The device verification matches the device.
    public var rule: String { "deviceVerification is the SHA-384 of nonce and device verification identifier." }

    /// Whether the signed data is bound to a device.
    public func observed(in data: AuthenticSignedData) -> String {
        data.claims.deviceVerification == nil ? "bound to no device" : "bound to a device"
    }

    /// Throws ``Refusal/Reason/foreignDevice`` unless the signed data is for the device.
    public func examine(_ data: AuthenticSignedData) throws(VerificationFailure) {
        do throws(Refusal) { try examine(data.claims) } catch { throw .refused(error) }
    }

    /// Throws unless the payload is for the device.
    package func examine(_ claims: SignedDataClaims) throws(Refusal) {
        // A nonce in upper case is the same nonce, so it is normalized by way of UUID.
        guard let nonce = claims.deviceVerificationNonce.flatMap(UUID.init), let stated = claims.deviceVerification,
            Self.verification(nonce: nonce, identifier: identifier) == stated
        else { throw Refusal(.foreignDevice, at: "payload.deviceVerification") }
    }

    private static func verification(nonce: UUID, identifier: String) -> String {
        let text = nonce.uuidString.lowercased() + identifier
        return Data(SHA384.hash(data: Data(text.utf8))).base64EncodedString()
    }
}
