/// The key for `Product.products(for:)`.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI {
    /// The type of the simulated errors.
    public typealias Failure = SKTestFailures.LoadProducts

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// The key for `Product.products(for:)`.
    public static var loadProducts: StoreKitLoadProductsAPI { StoreKitLoadProductsAPI() }
}

/// The key for `Product.purchase(options:)`.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI {
    /// The type of the simulated errors.
    public typealias Failure = SKTestFailures.Purchase

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// The key for `Product.purchase(options:)`.
    public static var purchase: StoreKitPurchaseAPI { StoreKitPurchaseAPI() }
}

/// The key for `AppStore.sync()`.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI {
    /// The type of the simulated errors.
    public typealias Failure = SKTestFailures.AppStoreSync

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// The key for `AppStore.sync()`.
    public static var appStoreSync: StoreKitAppStoreSyncAPI { StoreKitAppStoreSyncAPI() }
}

/// The key for the statuses of subscriptions.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI {
    /// The type of the simulated errors.
    public typealias Failure = SKTestFailures.SubscriptionStatus

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// The key for the statuses of subscriptions.
    public static var subscriptionStatus: StoreKitSubscriptionStatusAPI { StoreKitSubscriptionStatusAPI() }
}

/// The key for `AppTransaction.shared` and `refresh()`.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI {
    /// The type of the simulated errors.
    public typealias Failure = SKTestFailures.AppTransaction

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// The key for `AppTransaction.shared` and `refresh()`.
    public static var appTransaction: StoreKitAppTransactionAPI { StoreKitAppTransactionAPI() }
}

/// The key for the sheet to manage subscriptions.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI {
    /// The type of the simulated errors.
    public typealias Failure = SKTestFailures.ManageSubscriptions

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// The key for the sheet to manage subscriptions.
    public static var manageSubscriptions: StoreKitManageSubscriptionsAPI { StoreKitManageSubscriptionsAPI() }
}

/// The key for the sheet to redeem offer codes.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI {
    /// The type of the simulated errors.
    public typealias Failure = SKTestFailures.OfferCodeRedeem

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// The key for the sheet to redeem offer codes.
    public static var offerCodeRedeem: StoreKitOfferCodeRedeemAPI { StoreKitOfferCodeRedeemAPI() }
}

/// The key for the sheet to request a refund.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI {
    /// The type of the simulated errors.
    public typealias Failure = SKTestFailures.RefundRequest

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// The key for the sheet to request a refund.
    public static var refundRequest: StoreKitRefundRequestAPI { StoreKitRefundRequestAPI() }
}

/// The key for the verification of signed data.
public struct StoreKitVerificationAPI: FailableStoreKitAPI {
    /// The type of the simulated errors.
    public typealias Failure = SKTestFailures.Verification

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// The key for the verification of signed data.
    public static var verification: StoreKitVerificationAPI { StoreKitVerificationAPI() }
}
