public import PurchaseModel

/// A billing plan of a subscription in addition to its price, such as monthly payments with a commitment of one year.
public struct CatalogBillingPlan: Codable, Hashable, Sendable {
    /// The type of the billing plan.
    public var type: BillingPlanType
    /// The price of one payment of the plan.
    public var price: Money
    /// The total price of the commitment; nil if the file does not state the price.
    public var commitmentPrice: Money?
    /// Whether the plan is available for purchase.
    public var isEnabled: Bool

    /// Creates a billing plan.
    public init(type: BillingPlanType, price: Money, commitmentPrice: Money? = nil, isEnabled: Bool = true) {
        self.type = type
        self.price = price
        self.commitmentPrice = commitmentPrice
        self.isEnabled = isEnabled
    }
}

/// The seats of a subscription that the store sells in a quantity.
///
/// A `.storekit` file contains them under the key `_tillrollSeats`, because Xcode's format has no key for seats.
public struct CatalogSeats: Codable, Hashable, Sendable {
    /// A price of further seats.
    public struct Tier: Codable, Hashable, Sendable {
        /// The number of the first seat with this price, from 2.
        public var minimumSeats: Int
        /// The price of one seat for one period.
        public var price: Money

        /// Creates a tier.
        public init(minimumSeats: Int, price: Money) {
            self.minimumSeats = minimumSeats
            self.price = price
        }
    }

    /// Who invites the members of a group.
    public var invitationManagement: InvitationManagement
    /// The prices of further seats by their number; the price of the first seat is that of the product.
    public var priceTiers: [Tier]
    /// Whether the purchaser occupies one of the seats.
    ///
    /// Apple's documentation that this project has seen does not state it, so that a file can choose.
    public var purchaserTakesSeat: Bool

    /// Creates the seats of a subscription.
    public init(invitationManagement: InvitationManagement = .apple, priceTiers: [Tier] = [], purchaserTakesSeat: Bool = false) {
        self.invitationManagement = invitationManagement
        self.priceTiers = priceTiers
        self.purchaserTakesSeat = purchaserTakesSeat
    }

    /// Returns the prices of the seats; nil if the tiers are not in order, or are too many.
    ///
    /// - Parameter price: The price of the product.
    func pricing(from price: Money) -> SeatPricing? {
        SeatPricing(
            [SeatPricing.Tier(minimumSeats: 1, price: price)]
                + priceTiers.map { SeatPricing.Tier(minimumSeats: $0.minimumSeats, price: $0.price) })
    }
}

/// A subscription group: an account has at most one active subscription of a group at a time.
public struct CatalogGroup: Codable, Hashable, Sendable {
    /// The group's identifier.
    public var id: SubscriptionGroupID
    /// The reference name, which customers do not see.
    public var name: String
    /// The localized names of the group, in the file's order.
    public var localizations: [CatalogLocalization]
    /// The product identifiers of the group's subscriptions, including free subscriptions, in the file's order.
    public internal(set) var products: [ProductID]

    /// Creates a group without subscriptions.
    public init(id: SubscriptionGroupID, name: String = "", localizations: [CatalogLocalization] = []) {
        self.id = id
        self.name = name
        self.localizations = localizations
        self.products = []
    }
}

/// The texts of a product or a subscription group in one language.
public struct CatalogLocalization: Codable, Hashable, Sendable {
    /// The locale of the texts, with or without a country, such as `en_US` or `ko`.
    public var locale: String
    /// The display name of the product or the group.
    public var name: String
    /// The description of a product; the custom app name of a subscription group.
    public var summary: String

    /// Creates a localization.
    public init(locale: String, name: String, summary: String = "") {
        self.locale = locale
        self.name = name
        self.summary = summary
    }
}

/// The key in a `.storekit` file with which tests sign promotional offers.
public struct CatalogOfferKey: Hashable, Sendable {
    /// The key's identifier (`kid`).
    public var id: String
    /// The P-256 private key: PKCS #8 in base64, without the PEM header and footer.
    public var privateKey: String

    /// Creates a key that signs promotional offers.
    public init(id: String, privateKey: String) {
        self.id = id
        self.privateKey = privateKey
    }
}

extension CatalogOfferKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key's identifier; the private key must not appear in logs.
    public var description: String { "CatalogOfferKey(\(id))" }
    /// The key's identifier; the private key must not appear in logs.
    public var debugDescription: String { description }
    /// A mirror with the key's identifier only.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

/// The license agreement and the privacy policies of a `.storekit` file, which subscription views show.
public struct CatalogPolicies: Codable, Hashable, Sendable {
    /// The privacy policy in one language.
    public struct Policy: Codable, Hashable, Sendable {
        /// The locale of the privacy policy, such as `en_US`.
        public var locale: String
        /// The text of the privacy policy.
        public var text: String
        /// The URL of the privacy policy.
        public var url: String

        /// Creates a privacy policy.
        public init(locale: String, text: String, url: String) {
            self.locale = locale
            self.text = text
            self.url = url
        }
    }

    /// The text of the license agreement.
    public var eula: String
    /// The privacy policies, one for each language.
    public var policies: [Policy]

    /// Creates a license agreement and privacy policies.
    public init(eula: String = "", policies: [Policy] = []) {
        self.eula = eula
        self.policies = policies
    }
}

/// A product of a catalog, with all its localizations and with the price in the file's storefront.
///
/// ``Catalog/product(_:in:)`` converts a catalog product to the `StoreProduct` that devices receive.
public struct CatalogProduct: Codable, Hashable, Sendable {
    /// The product's identifier.
    public var id: ProductID
    /// The product's type.
    public var type: ProductType
    /// The reference name, which customers do not see; empty if the file has none.
    public var referenceName: String
    /// The App Store's internal ID of the product, decimal or hexadecimal; empty if the file has none.
    public var internalID: String
    /// The unit price in the currency of the file's storefront.
    public var price: Money
    /// The prices in other storefronts that are not converted from ``price``, by alpha-3 country code.
    ///
    /// A `.storekit` file contains these prices under the key `_tillrollPrices`, which Xcode ignores.
    public var prices: [String: Money]  // reason: the keys are the country codes of storefronts.
    /// Whether the product supports Family Sharing.
    public var isFamilyShareable: Bool
    /// The localizations, in the file's order.
    public var localizations: [CatalogLocalization]
    /// The subscription group, period and offers of a subscription; nil for products that are not in a subscription group.
    ///
    /// A free subscription also has the value, because the file contains it in a group; devices do not receive the value.
    public var subscription: CatalogSubscription?

    /// Creates a product.
    public init(
        id: ProductID, type: ProductType, referenceName: String = "", internalID: String = "", price: Money, prices: [String: Money] = [:],
        isFamilyShareable: Bool = false, localizations: [CatalogLocalization] = [], subscription: CatalogSubscription? = nil
    ) {
        self.id = id
        self.type = type
        self.referenceName = referenceName
        self.internalID = internalID
        self.price = price
        self.prices = prices
        self.isFamilyShareable = isFamilyShareable
        self.localizations = localizations
        self.subscription = subscription
    }
}

/// The test settings of a `.storekit` file, as in Xcode and in `SKTestSession`.
public struct CatalogSettings: Codable, Hashable, Sendable {
    /// The locale of texts and prices; nil to use the storefront's locale.
    public var locale: String?
    /// The ISO 3166-1 alpha-3 code of the storefront in which accounts without a storefront setting buy.
    public var storefront: String
    /// The time rate of subscriptions, as a raw value of `SKTestSession.TimeRate`; 0 is real time.
    public var timeRate: Int
    /// The time rates, by system version, that replace ``timeRate`` in system versions that do not support it.
    public var compatibilityTimeRates: [String: Int]  // reason: the keys are names in Xcode's format.
    /// Whether every purchase requires approval by a parent (Ask to Buy).
    public var askToBuyEnabled: Bool
    /// Whether every purchase is interrupted until the account resolves an issue.
    public var interruptedPurchasesEnabled: Bool
    /// Whether every renewal fails and the subscription enters the billing retry period.
    public var failsRenewals: Bool
    /// Whether subscriptions have a billing grace period; nil if the file has no setting for it.
    public var billingGracePeriodIsEnabled: Bool?
    /// Whether purchases continue without a confirmation sheet.
    public var disablesDialogs: Bool
    /// Whether all transactions fail, in system versions that do not support ``errors``.
    public var failsTransactions: Bool
    /// The errors that individual StoreKit functions throw in tests.
    public var errors: [CatalogSimulatedError]
    /// The app's `appAppleId`, which only files that are synced with App Store Connect contain.
    public var appAppleID: Int64?
    /// The developer's team identifier, which only files that are synced with App Store Connect contain.
    public var teamID: String?
    /// The time of the last synchronization with App Store Connect; nil for files that are not synced.
    public var lastSynchronized: Timestamp?

    /// Creates settings.
    public init(
        locale: String? = nil, storefront: String = Storefront.unitedStates.countryCode, timeRate: Int = 0,
        compatibilityTimeRates: [String: Int] = [:], askToBuyEnabled: Bool = false, interruptedPurchasesEnabled: Bool = false,
        failsRenewals: Bool = false, billingGracePeriodIsEnabled: Bool? = nil, disablesDialogs: Bool = false,
        failsTransactions: Bool = false,
        errors: [CatalogSimulatedError] = [], appAppleID: Int64? = nil, teamID: String? = nil, lastSynchronized: Timestamp? = nil
    ) {
        self.locale = locale
        self.storefront = storefront
        self.timeRate = timeRate
        self.compatibilityTimeRates = compatibilityTimeRates
        self.askToBuyEnabled = askToBuyEnabled
        self.interruptedPurchasesEnabled = interruptedPurchasesEnabled
        self.failsRenewals = failsRenewals
        self.billingGracePeriodIsEnabled = billingGracePeriodIsEnabled
        self.disablesDialogs = disablesDialogs
        self.failsTransactions = failsTransactions
        self.errors = errors
        self.appAppleID = appAppleID
        self.teamID = teamID
        self.lastSynchronized = lastSynchronized
    }
}

/// An error that a test simulates for one StoreKit function.
public struct CatalogSimulatedError: Codable, Hashable, Sendable {
    /// A reference to a case of one of StoreKit's error types.
    public struct Choice: Codable, Hashable, Sendable {
        /// The name of the error type: `generic`, `purchase` or `verification`.
        ///
        /// The types are `StoreKitError`, `Product.PurchaseError` and `VerificationResult.VerificationError`.
        public var type: String
        /// The position of the case in the error type, counted from 0.
        public var index: Int

        /// Creates a reference to a case of an error type.
        public init(type: String, index: Int) {
            self.type = type
            self.index = index
        }
    }

    /// The names of the StoreKit functions for which Xcode simulates errors, in Xcode's order.
    public static let names = [
        "Load Products", "Purchase", "Verification", "App Store Sync", "Subscription Status", "App Transaction",
        "Manage Subscriptions Sheet", "Refund Request Sheet", "Offer Code Redeem Sheet",
    ]

    /// The name of the StoreKit function, one of ``names``; an unknown name in a file is kept.
    public var name: String
    /// Whether the function throws the error.
    public var isEnabled: Bool
    /// The error that the function throws if ``isEnabled`` is true; nil if no error is selected.
    public var current: Choice?

    /// Creates a simulated error.
    public init(name: String, isEnabled: Bool = false, current: Choice? = nil) {
        self.name = name
        self.isEnabled = isEnabled
        self.current = current
    }

    /// The error that the function throws; nil if the function does not fail.
    public var active: Choice? { isEnabled ? current : nil }
}

/// The properties of a catalog product that is a subscription in a subscription group.
public struct CatalogSubscription: Codable, Hashable, Sendable {
    /// The identifier of the subscription group.
    public var group: SubscriptionGroupID
    /// The level of service in the subscription group; 1 is the highest level.
    public var level: Int
    /// The duration of one subscription period.
    public var period: BillingPeriod
    /// The subscription's offers of every kind, in the file's order, with the prices of the file's storefront.
    public var offers: [SubscriptionOffer]
    /// The billing plans that the subscription has in addition to its price.
    public var billingPlans: [CatalogBillingPlan]
    /// The seats in which the store sells the subscription; nil for a subscription without seats.
    public var seats: CatalogSeats?

    /// Creates the properties of a subscription.
    public init(
        group: SubscriptionGroupID, level: Int = 1, period: BillingPeriod, offers: [SubscriptionOffer] = [],
        billingPlans: [CatalogBillingPlan] = [], seats: CatalogSeats? = nil
    ) {
        self.group = group
        self.level = level
        self.period = period
        self.offers = offers
        self.billingPlans = billingPlans
        self.seats = seats
    }
}
