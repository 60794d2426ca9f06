import Foundation
import PurchaseModel

/// A device's identifier and signed-in account, stored as a ``DeviceIdentityRecord`` in a file that only its owner can read.
struct DeviceIdentity: Hashable, Sendable {
    /// The identifier of the device.
    var device: DeviceID
    /// The session of the account that is signed in.
    var session: Session?
    /// The account that owns the device: the last one that signed in, even when its session has ended; nil after signing out.
    var owner: AccountID?
    /// The owner's app transaction, as the store signed it.
    var appTransaction: SignedAppTransaction?

    /// An account that is signed in.
    struct Session: Hashable, Sendable {
        /// The account.
        var account: AccountID
        /// Its bearer token.
        var token: String
        /// Its storefront.
        var storefront: PurchaseModel.Storefront
        /// The app version of the receipt on this device; nil when it is not known.
        var appVersion: String? = nil
    }
}
