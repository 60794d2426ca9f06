public import PurchaseModel

/// The sheet that asks the user to confirm a payment.
public struct ConfirmationSheet: Hashable, Sendable {
    /// The identifier of the product.
    public let productID: ProductID
    /// The product's name.
    public let title: String
    /// The quantity, from 1 to 10.
    public let quantity: Int
    /// The price of one unit, formatted for the user; for a monthly billing plan, the price of one charge; for seats, the first seat's price.
    public let unitPrice: String
    /// The price of all units, formatted for the user; for a monthly billing plan, the price of the commitment.
    public let total: String
    /// The number of monthly charges of the commitment; nil for a purchase without a commitment.
    public let charges: Int?
    /// The number of seats that the customer has after the purchase; nil for a purchase that does not state a number.
    public let seats: Int?

    init(_ product: StoreProduct, quantity: Int, billingPlan: BillingPlanType? = nil, seats: Int? = nil) {
        productID = product.id
        title = product.title
        self.quantity = quantity
        self.seats = seats
        let seatPrice = seats.flatMap { seats in
            seats > 0 ? product.subscription?.seats?.pricing.tiers(of: 1...seats).total : nil
        }.map { Money(milliunits: $0, currency: product.price.currency) }
        let monthly = billingPlan == .monthly ? product.subscription?.monthlyPlan : nil
        unitPrice = (monthly?.price ?? product.price).formatted(locale: product.priceLocale)
        total =
            (monthly?.commitmentPrice ?? seatPrice ?? product.price.times(quantity))?.formatted(locale: product.priceLocale)
            ?? "an amount out of range"
        charges = monthly?.charges
    }

    /// The question of the sheet, such as `Buy 100 Coins for $0.99?`.
    public var text: String {
        "Buy \(purchase)?"
    }

    /// The question whether a child requests a parent's approval, such as `Ask for permission to buy 100 Coins for $0.99?`.
    public var permissionText: String {
        "Ask for permission to buy \(purchase)?"
    }

    private var purchase: String {
        if let charges { return "\(title) for \(unitPrice) a month, with a commitment of \(charges) months, \(total) in all" }
        // The sheet states the price of all seats, because the device does not know how many of them the customer already has.
        if let seats { return "\(title) with \(seats) seats, \(total) per period" }
        return quantity == 1 ? "\(title) for \(total)" : "\(quantity) × \(title) at \(unitPrice) each, \(total) in all"
    }
}

/// The sheet that asks the user to consent to a price increase; without consent, the subscription does not renew.
public struct PriceConsentSheet: Hashable, Sendable {
    /// The identifier of the subscription's product.
    public let productID: ProductID
    /// The product's name; its identifier if the store's description is not available.
    public let title: String
    /// The new price of a period, formatted for the user; nil if the store's description is not available.
    public let price: String?

    init(_ productID: ProductID, _ product: StoreProduct?) {
        self.productID = productID
        title = product?.title ?? productID.rawValue
        price = product.map { $0.price.formatted(locale: $0.priceLocale) }
    }

    /// The question of the sheet, such as `Pro will cost $9.99 per period. Do you agree?`.
    public var text: String {
        price.map { "\(title) will cost \($0) per period. Do you agree?" } ?? "\(title) will cost more. Do you agree?"
    }
}

/// The sheet that asks the user for the reason of a refund request.
public struct RefundSheet: Hashable, Sendable {
    /// The identifier of the purchased product.
    public let productID: ProductID
    /// The transaction to refund.
    public let transaction: TransactionID

    /// Creates a sheet for a transaction.
    public init(productID: ProductID, transaction: TransactionID) {
        self.productID = productID
        self.transaction = transaction
    }

    /// The question of the sheet, such as `Why are you requesting a refund for coins.100?`.
    public var text: String { "Why are you requesting a refund for \(productID)?" }
}

/// The sheet in which a user manages subscriptions.
public struct SubscriptionsSheet: Hashable, Sendable {
    /// A subscription on the sheet.
    public struct Subscription: Hashable, Sendable {
        /// A transaction of the subscription.
        public let transaction: TransactionID
        /// The identifier of the subscription's product.
        public let productID: ProductID
        /// Whether auto-renew is enabled.
        public let willAutoRenew: Bool

        /// Creates a subscription for the sheet.
        public init(transaction: TransactionID, productID: ProductID, willAutoRenew: Bool) {
            self.transaction = transaction
            self.productID = productID
            self.willAutoRenew = willAutoRenew
        }
    }

    /// A change of a subscription that the user requests.
    public enum Change: Hashable, Sendable {
        /// Disable auto-renew for the subscription with this transaction.
        case disableAutoRenew(TransactionID)
        /// Enable auto-renew for the subscription with this transaction.
        case enableAutoRenew(TransactionID)
        /// Change the subscription with this transaction to another product of its group.
        case change(TransactionID, to: ProductID)
    }

    /// The subscriptions of the account in the app.
    public let subscriptions: [Subscription]

    /// Creates a sheet with subscriptions.
    public init(subscriptions: [Subscription]) {
        self.subscriptions = subscriptions
    }
}
