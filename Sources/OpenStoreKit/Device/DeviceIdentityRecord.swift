import PrivateFiles
import PurchaseModel

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
