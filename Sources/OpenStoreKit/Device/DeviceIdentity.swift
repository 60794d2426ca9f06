import Foundation
import PurchaseModel

/// What a device keeps about itself in a file that only its owner can read: its identifier, and who is signed in.
struct DeviceIdentity: Codable, Sendable {
    /// The device.
    var device: DeviceID
    /// The session of the account that is signed in.
    var session: Session?
    /// Whose device it is: who signed in last, also when the session has ended since; nil after signing out.
    var owner: AccountID?
    /// That the owner got the app, as the store has signed it.
    var appTransaction: SignedAppTransaction?

    /// An account that is signed in.
    struct Session: Codable, Sendable {
        /// The account.
        var account: AccountID
        /// Its bearer token.
        var token: String
        /// Its country's store.
        var storefront: PurchaseModel.Storefront
        /// The version of the app that the receipt on this device is for; nil when that is not known.
        var appVersion: String? = nil
    }
}
