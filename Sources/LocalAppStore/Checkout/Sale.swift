import GRDB
import PurchaseModel
import StoreProtocol

/// A payment with its buyer, and the product, price and offer that the store determines before it writes the purchase.
struct Sale {
    /// The kind of purchase that a payment makes.
    enum Kind {
        /// A purchase of any product except an auto-renewable subscription.
        ///
        /// The product has its price in the account's storefront. `price` is the amount that the purchase charges, in thousandths of the
        /// currency's main unit. If the account already owns the product, `original` is the first transaction of the product, and `price`
        /// is 0.
        case oneTime(StoreProduct, price: Int64, original: TransactionRecord?)
        /// A purchase of an auto-renewable subscription in a subscription group.
        ///
        /// `existing` is the subscription that the account has or had in the subscription group; nil if there was none.
        case subscription(SubscriptionPurchase, group: SubscriptionGroupID, existing: SubscriptionRecord?)
    }

    var payment: PaymentRecord
    var buyer: Buyer
    var kind: Kind
}

extension Sale {
    /// Determines the product and the price of a payment.
    ///
    /// - Throws: ``PurchaseRefusal`` if the store does not sell the product, the quantity or the app account token is invalid, or the
    ///   account cannot get the requested offer.
    init(_ payment: PaymentRecord, by buyer: Buyer, _ db: Database) throws {
        guard let product = buyer.app.catalog.product(payment.productID, in: buyer.storefront) else {
            throw PurchaseRefusal.productUnavailable
        }
        guard (1...10).contains(payment.quantity), payment.quantity == 1 || product.type.allowsQuantity else {
            throw PurchaseRefusal.invalidQuantity
        }
        guard payment.appAccountToken?.isWellFormed ?? true else { throw PurchaseRefusal.invalidAppAccountToken }
        guard let total = product.price.times(payment.quantity) else { throw PurchaseRefusal.priceOutOfRange }
        let kind: Kind
        if let terms = product.subscription, product.type == .autoRenewable {
            let existing = try SubscriptionRecord.existing(buyer.account.id, buyer.app.bundleID, terms.group, db)
            guard let plan = product.plan(payment.billingPlan) else { throw PurchaseRefusal.billingPlanUnavailable }
            var purchase = try Self.purchase(plan, terms, payment, existing?.subscription)
            purchase.seats = try Self.seats(payment, of: plan, existing?.subscription)
            kind = .subscription(purchase, group: terms.group, existing: existing)
        } else {
            guard payment.billingPlan != .monthly else { throw PurchaseRefusal.billingPlanUnavailable }
            guard payment.seats == nil else { throw PurchaseRefusal.seatsUnavailable }
            guard payment.offerType == nil else { throw PurchaseRefusal.invalidOfferIdentifier }
            switch product.type {
            case .consumable, .nonRenewing, .autoRenewable:
                kind = .oneTime(product, price: total.milliunits, original: nil)
            case .nonConsumable, .freeSubscription:
                let original = try Self.owned(product.id, by: buyer, db)
                kind = .oneTime(product, price: original == nil ? total.milliunits : 0, original: original)
            }
        }
        self.init(payment: payment, buyer: buyer, kind: kind)
    }

    /// Returns a subscription plan with the requested offer, or with the introductory offer if the account is eligible.
    private static func purchase(
        _ plan: SubscriptionPlan, _ terms: SubscriptionTerms, _ payment: PaymentRecord, _ existing: Subscription?
    ) throws(PurchaseRefusal) -> SubscriptionPurchase {
        // A signed statement of the developer's server takes precedence over the store's own check of the eligibility: the account gets the
        // introductory offer once more, or does not get it.
        let offers = terms.offers(of: plan.billingPlan ?? .billedUpfront)
        let introductory = offers.first {
            $0.kind == .introductory && payment.allowsIntroductoryOffer ?? ($0.refusal(for: existing) == nil)
        }
        let isNew = existing?.hasEnded ?? true
        guard let kind = payment.offerType.flatMap({ OfferType(rawValue: $0) }), kind != .introductory else {
            return SubscriptionPurchase(plan, offer: isNew ? introductory : nil)
        }
        guard
            let offer = offers.first(where: { $0.kind == kind && $0.id.map(OpaqueText.init) == payment.offerID.map(OpaqueText.init) })
        else { throw .invalidOfferIdentifier }
        if let refusal = offer.refusal(for: existing) { throw .ineligibleForOffer(refusal) }
        if offer.isStackable, isNew, let introductory {
            return SubscriptionPurchase(plan, offer: introductory, followedBy: offer)
        }
        return SubscriptionPurchase(plan, offer: offer)
    }

    /// Returns the number of seats after a payment; nil for a payment that does not state a number.
    private static func seats(
        _ payment: PaymentRecord, of plan: SubscriptionPlan, _ existing: Subscription?
    ) throws(PurchaseRefusal) -> Int? {
        guard let seats = payment.seats else { return nil }
        guard plan.seatPricing != nil else { throw .seatsUnavailable }
        guard (1...SeatPricing.seatLimit).contains(seats) else { throw .invalidQuantity }
        if let existing, !existing.hasEnded, existing.plan.productID == plan.productID, let count = existing.seats?.count, seats < count {
            throw .seatReductionNotAllowed
        }
        return seats
    }

    /// Returns the first transaction of a product that the account owns; nil if there is none, or if it is refunded or revoked.
    private static func owned(_ product: ProductID, by buyer: Buyer, _ db: Database) throws -> TransactionRecord? {
        let sql = """
            SELECT * FROM transactions
            WHERE account = ? AND bundleID = ? AND productID = ? AND id = originalID AND revokedAt IS NULL AND kind = 'purchase'
            ORDER BY rowid LIMIT 1
            """
        let arguments: StatementArguments = [buyer.account.id.rawValue, buyer.app.bundleID.rawValue, product.rawValue]
        return try TransactionRecord.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }

    /// The amount that the purchase charges immediately, in thousandths of the currency's main unit.
    var price: Int64 {
        switch kind {
        case .oneTime(_, let price, _): price
        // The price of one seat stands for that of all, because only a price of 0 charges nothing.
        case .subscription(let purchase, _, _): purchase.offer?.price.milliunits ?? purchase.plan.price.milliunits
        }
    }
}

/// The account, the app and the device of a purchase.
struct Buyer: Sendable {
    var account: AccountRecord
    var app: StoreApp
    var device: DeviceID
    var appVersion: String
    /// The `appTransactionId` of the account in the app.
    var appTransactionID: String

    /// Returns whether a parent must approve a purchase (Ask to Buy).
    ///
    /// The account's setting, the `.storekit` file's setting, or `simulatesAskToBuyInSandbox` of the payment requires the approval.
    func requiresApproval(_ request: PurchaseRequest) -> Bool {
        account.askToBuyEnabled || app.catalog.settings.askToBuyEnabled
            || request.simulatesAskToBuy == true && account.environment == .sandbox
    }
    /// Whether the buyer's purchases are interrupted until the account resolves an issue, as the account or the `.storekit` file sets.
    var isInterrupted: Bool { account.interruptedPurchasesEnabled || app.catalog.settings.interruptedPurchasesEnabled }

    /// The storefront in which the account buys the app's products.
    var storefront: Storefront { account.storefront(of: app) }
}

extension Buyer {
    /// Finds the account, the app and the device of a purchase; the account's first use of an app also records the download of the app.
    ///
    /// - Throws: ``AccountError/unknown`` or ``AppError/unknown``.
    init(
        _ account: AccountID, _ bundleID: BundleID, _ device: DeviceID, _ appVersion: String, in apps: StoreApps, at now: Timestamp,
        _ db: Database
    ) throws {
        self.init(
            account: try AccountRecord.require(account, db), app: try apps.require(bundleID), device: device, appVersion: appVersion,
            appTransactionID: try AppDownloadRecord.findOrCreate(account, bundleID, version: appVersion, at: now, db).id
        )
    }
}
