import Crypto
public import Foundation

/// Refuses signed data made for another device.
///
/// Copies that a device obtained are bound to it: `deviceVerification` is SHA-384 over the nonce and the device's verification
/// identifier, both as lower-case UUIDs. Copies from the server and notifications are bound to none, and do not pass.
public struct DeviceVerificationCheck: SignedDataCheck {
    private let identifier: String

    /// Creates the check for the device whose `AppStore.deviceVerificationID` this is.
    public init(_ identifier: UUID) {
        self.identifier = identifier.uuidString.lowercased()
    }

    /// Names what is looked at.
    public var name: String { "device" }

    /// The rule: the hash is of our device.
    public var rule: String { "SHA-384 of nonce and device is the device verification." }

    /// Whether there is one; the hash itself says nothing to anybody.
    public func saw(_ claims: SignedDataClaims) -> String {
        claims.deviceVerification == nil ? "bound to no device" : "bound to a device"
    }

    /// Throws ``Refusal/Reason/foreignDevice`` unless the payload was made for this device.
    public func examine(_ claims: SignedDataClaims) throws(Refusal) {
        // UUID's own spelling closes the others: a nonce in capitals is the same nonce.
        guard let nonce = claims.deviceVerificationNonce.flatMap(UUID.init), let stated = claims.deviceVerification,
            Self.verification(nonce: nonce, identifier: identifier) == stated
        else { throw Refusal(.foreignDevice, at: "payload.deviceVerification") }
    }

    private static func verification(nonce: UUID, identifier: String) -> String {
        let text = nonce.uuidString.lowercased() + identifier
        return Data(SHA384.hash(data: Data(text.utf8))).base64EncodedString()
    }
}
