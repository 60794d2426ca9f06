import Foundation
import PurchaseModel

/// What a device keeps about itself in a file that only its owner can read: its identifier, and who is signed in.
struct DeviceIdentity: Codable, Sendable {
    /// The device.
    var device: DeviceID
    /// The session of the account that is signed in.
    var session: Session?

    /// An account that is signed in.
    struct Session: Codable, Sendable {
        /// The account.
        var account: AccountID
        /// Its bearer token.
        var token: String
        /// Its country's store.
        var storefront: PurchaseModel.Storefront
    }
}
