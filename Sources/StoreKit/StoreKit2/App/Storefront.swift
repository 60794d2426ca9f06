public import Foundation
import OpenStoreKit
import PurchaseModel

/// The country's store that the customer buys in.
public struct Storefront: Identifiable, Sendable {
    /// ISO 3166-1 alpha-3, such as `USA`.
    public let countryCode: String
    /// The store's number, such as `143441`.
    public let id: String
    /// What it charges in.
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

    /// The storefronts that the account changes to from now on.
    public static var updates: Storefronts {
        Storefronts(Supply(Device.own, { $0.storefrontUpdates() }, { told, _ in Storefront(told) }))
    }
}
