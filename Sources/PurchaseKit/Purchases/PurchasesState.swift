import Foundation
public import PurchaseModel
public import StoreKit

/// The state of an app's purchases for its screens, as one value.
///
/// The value contains all data of a screen, including the installed content. A screen that reads the vault after a change of the state can
/// miss a change that is stored later, because no further change of the state follows.
public struct PurchasesState: Hashable, Sendable {
    /// The products that the app sells, in the order of the app's or the server's list; empty until the store has answered.
    public internal(set) var products: [ProductListing] = []
    /// The products in the app's or the server's list that the store does not sell, for example because of a misspelled identifier.
    public internal(set) var unavailableProducts: [ProductID] = []
    /// Whether the store has answered with the products.
    public internal(set) var areProductsLoaded = false
    /// Every entitlement that the customer has or had, by name.
    public internal(set) var entitlements: [EntitlementName: EntitlementState] = [:]
    /// Whether the purchases were read completely; if so, the customer lacks each entitlement that ``entitlements`` does not contain.
    public internal(set) var areEntitlementsKnown = false
    /// The credits of each currency, less the debits that the server has not accepted yet.
    public internal(set) var balances: [CurrencyID: CreditBalance] = [:]
    /// The products that are being purchased.
    public internal(set) var purchasing: Set<ProductID> = []
    /// The purchases that wait for an approval, oldest first.
    public internal(set) var pending: [PendingPurchase] = []
    /// The running, waiting and paused downloads of content, by product.
    public internal(set) var downloads: [ProductID: DownloadProgress] = [:]
    /// The content on the device, by product; content stays after a refund, so also check the entitlement.
    public internal(set) var installedContent: [ProductID: InstalledContent] = [:]
    /// The purchased products whose content is not on the device, latest purchase first.
    var undownloaded: [ProductID] = []
    /// The downloads of content that the App Store hosts, by product, while their transactions are in the payment queue.
    public internal(set) var hostedDownloads: [ProductID: HostedDownload] = [:]
    /// Whether a restore is running.
    public internal(set) var isRestoring = false
    /// Whether the user may make payments; if not, disable the purchase buttons.
    public internal(set) var canMakePayments = false
    /// The purchases that the customer began in the App Store app, until the app continues or discards each purchase.
    public internal(set) var promotedPurchases: [PromotedPurchase] = []
    /// The current problems, with sentences for the user.
    public internal(set) var problems: [PurchaseProblem] = []

    /// Returns whether the customer has an entitlement.
    public func status(of entitlement: EntitlementName) -> EntitlementStatus {
        if let state = entitlements[entitlement], state.isActive { return .owned(until: state.until) }
        return areEntitlementsKnown ? .none : .unknown
    }

    /// The purchased products whose content can be downloaded, latest purchase first.
    ///
    /// The list contains products with ``Fulfillment/downloadLater(_:)``, products whose download the person canceled, and products whose
    /// files are missing, for example because a backup omits the files.
    public var readyToDownload: [ProductID] { undownloaded.filter { downloads[$0] == nil } }

    /// Returns the credits of a currency; negative after a refund of spent credits.
    public func balance(of currency: CurrencyID) -> Int64 { balances[currency]?.amount ?? 0 }

    /// Returns the listing of a product; nil until the store has answered, and for a product that the store does not sell.
    public func product(_ id: ProductID) -> ProductListing? { products.first { $0.id == id } }
}

/// A product with its texts and prices in the customer's storefront.
public struct ProductListing: Hashable, Sendable, Identifiable {
    /// The identifier of the product.
    public let id: ProductID
    /// The product in StoreKit.
    public let product: Product

    init(_ product: Product) {
        id = ProductID(product.id)
        self.product = product
    }

    /// The name, in the language of the storefront.
    public var displayName: String { product.displayName }
    /// The description, in the language of the storefront.
    public var description: String { product.description }
    /// The price of one unit, in the currency of the storefront.
    public var displayPrice: String { product.displayPrice }
    /// The period of a subscription, such as "1 month", in the language of the storefront; nil for other products.
    public var displayPeriod: String? {
        product.subscription.map { $0.subscriptionPeriod.formatted(product.subscriptionPeriodFormatStyle) }
    }
    /// The introductory offer of a subscription; nil without an offer.
    public var introductoryOffer: Product.SubscriptionOffer? { product.subscription?.introductoryOffer }

    /// Returns the price of several units, in the currency of the storefront.
    public func displayPrice(quantity: Int) -> String {
        (product.price * Decimal(quantity)).formatted(product.priceFormatStyle)
    }
}

/// A purchase that the customer began in the App Store app (a promoted in-app purchase, or a win-back offer).
public struct PromotedPurchase: Hashable, Sendable, Identifiable {
    /// The promoted product.
    public let product: ProductListing
    /// The win-back offer; nil for a purchase without an offer.
    public let offer: Product.SubscriptionOffer?

    /// The identifier of the product.
    public var id: ProductID { product.id }
}
