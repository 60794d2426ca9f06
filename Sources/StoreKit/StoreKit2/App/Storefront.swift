public import Foundation
import OpenStoreKit
import PurchaseModel

/// The App Store storefront of the customer's account.
public struct Storefront: Identifiable, Sendable {
    /// The ISO 3166-1 alpha-3 country code, such as `USA`.
    public let countryCode: String
    /// The identifier of the storefront, such as `143441`.
    public let id: String
    /// The currency of the storefront.
    public let currency: Locale.Currency?

    init(countryCode: String, id: String, currency: Locale.Currency?) {
        self.countryCode = countryCode
        self.id = id
        self.currency = currency
    }

    init(_ storefront: PurchaseModel.Storefront) {
        self.init(countryCode: storefront.countryCode, id: storefront.id, currency: Locale.Currency(storefront.currency))
    }

    /// The storefront of the signed-in account; nil when no account is signed in.
    public static var current: Storefront? {
        get async { Device.active?.storefront.map { Storefront($0) } }
    }

    /// The storefronts to which the account changes from now on.
    public static var updates: Storefronts {
        Storefronts(ElementSource(Device.unshared, { $0.storefrontUpdates() }, { update, _ in Storefront(update) }))
    }
}
