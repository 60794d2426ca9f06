import Foundation
import PurchaseModel

/// The identifier and the accounts of a device, stored as a ``DeviceIdentityRecord`` in a file that only the file's owner can read.
struct DeviceIdentity: Hashable, Sendable {
    /// The identifier of the device.
    var device: DeviceID
    /// The session of the account that is signed in; nil if no account is.
    var session: Session?
    /// The account that signed in last, to which the device belongs; nil after signing out.
    ///
    /// The account still owns the device after the store has ended the session.
    var owner: AccountID?
    /// The owner's app transaction, as the store signed it; nil if the device has not stored it.
    var appTransaction: SignedAppTransaction?

    /// The session of an account that is signed in.
    struct Session: Hashable, Sendable {
        /// The account that is signed in.
        var account: AccountID
        /// The bearer token for the account's requests to the store.
        var token: String
        /// The account's storefront.
        var storefront: PurchaseModel.Storefront
        /// The app version for which the store issued the receipt on this device; nil if the version is not known.
        var appVersion: String? = nil
    }
}
