import Crypto
package import Foundation

/// The binding of signed data to one device: a nonce, and the hash of the nonce and the device's verification ID.
package struct DeviceBinding: Hashable, Sendable {
    /// The nonce, new for each signed item.
    package let nonce: UUID
    /// The value of `AppStore.deviceVerificationID` on the device.
    package let deviceVerificationID: UUID

    /// Creates a device binding.
    package init(nonce: UUID, deviceVerificationID: UUID) {
        self.nonce = nonce
        self.deviceVerificationID = deviceVerificationID
    }

    /// The value of `deviceVerification`: SHA-384 of nonce and device verification ID in lowercase, in this order, as base64.
    package var deviceVerification: String {
        let text = nonce.uuidString.lowercased() + deviceVerificationID.uuidString.lowercased()
        return Data(SHA384.hash(data: Data(text.utf8))).base64EncodedString()
    }
}
