import Crypto
package import Foundation

/// What binds signed data to one device: a nonce, and the hash of it with the number by which the device knows the app.
package struct DeviceSeal: Hashable, Sendable {
    /// New for each signed object.
    package let nonce: UUID
    /// The number that `AppStore.deviceVerificationID` has on the device.
    package let deviceVerificationID: UUID

    /// Creates a seal.
    package init(nonce: UUID, deviceVerificationID: UUID) {
        self.nonce = nonce
        self.deviceVerificationID = deviceVerificationID
    }

    /// `deviceVerification`: SHA-384 over both in lower case, nonce first, in base64.
    package var deviceVerification: String {
        let text = nonce.uuidString.lowercased() + deviceVerificationID.uuidString.lowercased()
        return Data(SHA384.hash(data: Data(text.utf8))).base64EncodedString()
    }
}
