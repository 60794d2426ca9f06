/// Stands for `Product.products(for:)`.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.LoadProducts

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// Stands for `Product.products(for:)`.
    public static var loadProducts: StoreKitLoadProductsAPI { StoreKitLoadProductsAPI() }
}

/// Stands for `Product.purchase(options:)`.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.Purchase

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// Stands for `Product.purchase(options:)`.
    public static var purchase: StoreKitPurchaseAPI { StoreKitPurchaseAPI() }
}

/// Stands for `AppStore.sync()`.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.AppStoreSync

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// Stands for `AppStore.sync()`.
    public static var appStoreSync: StoreKitAppStoreSyncAPI { StoreKitAppStoreSyncAPI() }
}

/// Stands for the statuses of subscriptions.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.SubscriptionStatus

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// Stands for the statuses of subscriptions.
    public static var subscriptionStatus: StoreKitSubscriptionStatusAPI { StoreKitSubscriptionStatusAPI() }
}

/// Stands for `AppTransaction.shared` and `refresh()`.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.AppTransaction

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// Stands for `AppTransaction.shared` and `refresh()`.
    public static var appTransaction: StoreKitAppTransactionAPI { StoreKitAppTransactionAPI() }
}

/// Stands for the sheet to manage subscriptions.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.ManageSubscriptions

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// Stands for the sheet to manage subscriptions.
    public static var manageSubscriptions: StoreKitManageSubscriptionsAPI { StoreKitManageSubscriptionsAPI() }
}

/// Stands for the sheet to redeem offer codes.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.OfferCodeRedeem

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// Stands for the sheet to redeem offer codes.
    public static var offerCodeRedeem: StoreKitOfferCodeRedeemAPI { StoreKitOfferCodeRedeemAPI() }
}

/// Stands for the sheet to ask for a refund.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.RefundRequest

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// Stands for the sheet to ask for a refund.
    public static var refundRequest: StoreKitRefundRequestAPI { StoreKitRefundRequestAPI() }
}

/// Stands for the verification of signed data.
public struct StoreKitVerificationAPI: FailableStoreKitAPI {
    /// What it can fail with.
    public typealias Failure = SKTestFailures.Verification

    /// Creates the key.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// Stands for the verification of signed data.
    public static var verification: StoreKitVerificationAPI { StoreKitVerificationAPI() }
}
