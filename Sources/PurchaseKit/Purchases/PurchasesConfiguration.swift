public import MessageSignatures
public import PurchaseModel
public import PurchaseProof
public import StoreKit

/// The configuration of ``Purchases``: the products, their fulfillment, the vault and the server.
public struct PurchasesConfiguration: Sendable {
    /// The source of the list of products.
    public enum ProductSource: Sendable {
        /// The identifiers are built into the app, in the order in which the app shows the products.
        case builtIn([ProductID])
        /// The developer's server lists the products, so that a product can be added without an update of the app.
        ///
        /// The vault stores the last list for a start without a network.
        case server
    }

    /// The list of products.
    public var products: ProductSource
    /// The fulfillment of each product; a product without a fulfillment unlocks an entitlement with the product's name.
    public var fulfillments: [ProductID: Fulfillment]
    /// The vault with the purchases on this device.
    public var vault: Vault
    /// The verifier of signed transactions.
    public var verifier: SignedDataVerifier
    /// The connection to the developer's server, through which purchases are delivered; nil to deliver on the device only.
    public var server: ServerConnection?
    /// The customer of the app, whose UUID the App Store signs as `appAccountToken`; nil for an app without accounts.
    public var customer: CustomerID?
    /// The durations of non-renewing subscriptions, which the App Store does not state.
    public var nonRenewingDurations: [ProductID: BillingPeriod] = [:]
    /// The verifier of the server's leases, which prove entitlements without a transaction, such as grants, until the lease ends; nil to
    /// use no leases.
    public var leaseVerifier: LeaseVerifier?
    /// The app's reactions to promoted purchases, to messages of the App Store, and to a purchase during a billing issue.
    public var presentation: PurchasePresentation
    /// The time limit of a restore's request to the App Store.
    public var restoreDeadline: Duration = .seconds(120)
    /// The number of downloads of content that run at the same time, from 1.
    public var simultaneousDownloads = 2
    /// The delays before retries.
    public var retrySchedule = RetrySchedule()
    /// The clock that measures delays and time limits.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The clock that states the device's date.
    public var wallClock: any WallClock = SystemWallClock()

    /// Called after each durable step of a delivery, which waits for the closure; for tests that end the app's process at a step.
    public var step: @Sendable (DeliveryStep) async -> Void = { _ in }

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - products: The products that the app sells, or their source.
    ///   - fulfillments: The delivery of each product.
    ///   - vault: The vault of the account's purchases on the device.
    ///   - verifier: The verifier of signed transactions.
    ///   - server: The connection to the developer's server; nil for an app without a server.
    ///   - customer: The signed-in customer of the app; nil without customers.
    ///   - presentation: The reactions to requests of the App Store.
    public init(
        products: ProductSource, fulfillments: [ProductID: Fulfillment], vault: Vault, verifier: SignedDataVerifier,
        server: ServerConnection? = nil, customer: CustomerID? = nil, presentation: PurchasePresentation
    ) {
        self.products = products
        self.fulfillments = fulfillments
        self.vault = vault
        self.verifier = verifier
        self.server = server
        self.customer = customer
        self.presentation = presentation
    }

    #if !os(visionOS)
        /// Creates a configuration with the default presentation.
        ///
        /// - Parameters:
        ///   - products: The products that the app sells, or their source.
        ///   - fulfillments: The delivery of each product.
        ///   - vault: The vault of the account's purchases on the device.
        ///   - verifier: The verifier of signed transactions.
        ///   - server: The connection to the developer's server; nil for an app without a server.
        ///   - customer: The signed-in customer of the app; nil without customers.
        public init(
            products: ProductSource, fulfillments: [ProductID: Fulfillment], vault: Vault, verifier: SignedDataVerifier,
            server: ServerConnection? = nil, customer: CustomerID? = nil
        ) {
            self.init(
                products: products, fulfillments: fulfillments, vault: vault, verifier: verifier, server: server, customer: customer,
                presentation: PurchasePresentation())
        }
    #endif
}

/// The reactions of an app to promoted purchases, to messages of the App Store, and to a purchase during a billing issue.
///
/// The closures can wait until the app's screens are ready.
public struct PurchasePresentation: Sendable {
    /// Decides whether to continue a purchase that the customer began in the App Store app; by default, the purchase continues immediately.
    ///
    /// After `later`, the purchase is in ``PurchasesState/promotedPurchases`` until ``Purchases/continuePromoted(_:)``.
    public var decidePromotedPurchase: @MainActor @Sendable (PromotedPurchase) async -> PromotionDecision = { _ in .buy }

    /// A decision about a purchase that the customer began in the App Store app.
    public enum PromotionDecision: Hashable, Sendable {
        /// Buy the product now.
        case buy
        /// Store the purchase in ``PurchasesState/promotedPurchases`` until the app continues or discards the purchase.
        case later
        /// Ignore the promoted purchase; the customer can begin the purchase again in the App Store app.
        case discard
    }

    /// Decides whether to buy a subscription while the payment for a subscription of the same group is declined; the default is true.
    ///
    /// The App Store retries the declined payment for up to 60 days. A person who buys once more, instead of updating the payment method,
    /// can pay twice. The closure receives the product to buy, and the product whose payment is declined.
    public var decideDuringBillingIssue: @MainActor @Sendable (_ wanted: ProductID, _ declined: ProductID) async -> Bool = { _, _ in true }

    #if os(visionOS)
        /// Purchases a product in a scene of the app, with `Product.purchase(confirmIn:options:)`.
        public var purchase: @MainActor @Sendable (Product, Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult
    #else
        /// Purchases a product; an app with several scenes calls `Product.purchase(confirmIn:options:)` instead.
        public var purchase: @MainActor @Sendable (Product, Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult = {
            try await $0.purchase(options: $1)
        }
    #endif

    #if os(iOS) || os(visionOS) || os(Linux)
        /// Shows a message of the App Store, such as a price increase; on iOS with `Message.display(in:)`.
        ///
        /// The message counts as shown when the closure returns.
        public var show: @MainActor @Sendable (Message) async -> Void = { _ in }
    #endif

    #if os(visionOS)
        /// Creates a presentation that buys promoted products immediately and shows no App Store messages.
        public init(
            purchase: @escaping @MainActor @Sendable (Product, Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult
        ) {
            self.purchase = purchase
        }
    #else
        /// Creates a presentation that buys promoted products immediately and shows no App Store messages.
        public init() {}
    #endif
}
