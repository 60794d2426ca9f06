import Foundation
import PrivateFiles
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

/// A device's identity in the format of `identity.json`.
struct DeviceIdentityRecord: StoredRecord {
    static let currentVersion = 1

    struct Session: Codable, Hashable, Sendable {
        let account: AccountID
        let token: String
        let storefront: Storefront
        let appVersion: String?
    }

    struct Storefront: Codable, Hashable, Sendable {
        let countryCode: String
        let id: String
        let currency: String
        let locale: String
    }

    let version: Int
    let device: DeviceID
    let session: Session?
    let owner: AccountID?
    let appTransaction: SignedAppTransaction?

    init(_ identity: DeviceIdentity) {
        version = Self.currentVersion
        device = identity.device
        session = identity.session.map { Session($0) }
        owner = identity.owner
        appTransaction = identity.appTransaction
    }

    func value() throws -> DeviceIdentity {
        try checkVersion()
        return DeviceIdentity(device: device, session: session?.session, owner: owner, appTransaction: appTransaction)
    }
}

extension DeviceIdentityRecord.Session {
    fileprivate init(_ session: DeviceIdentity.Session) {
        account = session.account
        token = session.token
        storefront = DeviceIdentityRecord.Storefront(session.storefront)
        appVersion = session.appVersion
    }

    fileprivate var session: DeviceIdentity.Session {
        DeviceIdentity.Session(account: account, token: token, storefront: storefront.storefront, appVersion: appVersion)
    }
}

extension DeviceIdentityRecord.Storefront {
    fileprivate init(_ storefront: PurchaseModel.Storefront) {
        countryCode = storefront.countryCode
        id = storefront.id
        currency = storefront.currency
        locale = storefront.locale
    }

    fileprivate var storefront: PurchaseModel.Storefront {
        PurchaseModel.Storefront(countryCode: countryCode, id: id, currency: currency, locale: locale)
    }
}
