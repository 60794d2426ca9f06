public import Foundation
import OpenStoreKit
import PurchaseModel

/// An App Store storefront: the country or region in which an account makes purchases.
public struct Storefront: Identifiable, Sendable {
    /// The country or region of the storefront, as an ISO 3166-1 alpha-3 code such as `USA`.
    public let countryCode: String
    /// The identifier of the storefront, such as `143441`.
    public let id: String
    /// The currency of the storefront; nil when the signed data does not state a currency.
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

    /// A sequence that delivers the new storefront whenever the storefront of the account changes.
    public static var updates: Storefronts {
        Storefronts(ElementSource(Device.unshared, { $0.storefrontUpdates() }, { update, _ in Storefront(update) }))
    }
}
