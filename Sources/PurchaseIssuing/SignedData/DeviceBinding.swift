import Crypto
package import Foundation

/// The binding of signed data to one device: a nonce, and the device verification ID with which the nonce is hashed.
package struct DeviceBinding: Hashable, Sendable {
    /// The nonce: a UUID that is different for each JWS.
    package let nonce: UUID
    /// The value of `AppStore.deviceVerificationID` on the device.
    package let deviceVerificationID: UUID

    /// Creates a device binding.
    package init(nonce: UUID, deviceVerificationID: UUID) {
        self.nonce = nonce
        self.deviceVerificationID = deviceVerificationID
    }

    /// The value of the member `deviceVerification` in signed data.
    ///
    /// The value is the SHA-384 of the nonce followed by the device verification ID, both as text in lower case, encoded as base64.
    package var deviceVerification: String {
        let text = nonce.uuidString.lowercased() + deviceVerificationID.uuidString.lowercased()
        return Data(SHA384.hash(data: Data(text.utf8))).base64EncodedString()
    }
}

/// A payload that is encoded together with the two members that bind it to a device.
struct DeviceBoundPayload<Payload: Encodable>: Encodable {
    let payload: Payload
    let deviceBinding: DeviceBinding

    private enum CodingKeys: CodingKey {
        case deviceVerification
        case deviceVerificationNonce
    }

    func encode(to encoder: any Encoder) throws {
        try payload.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deviceBinding.deviceVerification, forKey: .deviceVerification)
        try container.encode(deviceBinding.nonce.uuidString.lowercased(), forKey: .deviceVerificationNonce)
    }
}
