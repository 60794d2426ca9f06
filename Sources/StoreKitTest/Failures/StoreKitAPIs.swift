/// The API of `Product.products(for:)`, for which a test can simulate errors.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI {
    /// The type of the errors that a test can simulate for the API.
    public typealias Failure = SKTestFailures.LoadProducts

    /// Creates a value that identifies the API.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// Identifies `Product.products(for:)`, for `SKTestSession.setSimulatedError(_:forAPI:)`.
    public static var loadProducts: StoreKitLoadProductsAPI { StoreKitLoadProductsAPI() }
}

/// The API of `Product.purchase(options:)`, for which a test can simulate errors.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI {
    /// The type of the errors that a test can simulate for the API.
    public typealias Failure = SKTestFailures.Purchase

    /// Creates a value that identifies the API.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// Identifies `Product.purchase(options:)`, for `SKTestSession.setSimulatedError(_:forAPI:)`.
    public static var purchase: StoreKitPurchaseAPI { StoreKitPurchaseAPI() }
}

/// The API of `AppStore.sync()`, for which a test can simulate errors.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI {
    /// The type of the errors that a test can simulate for the API.
    public typealias Failure = SKTestFailures.AppStoreSync

    /// Creates a value that identifies the API.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// Identifies `AppStore.sync()`, for `SKTestSession.setSimulatedError(_:forAPI:)`.
    public static var appStoreSync: StoreKitAppStoreSyncAPI { StoreKitAppStoreSyncAPI() }
}

/// The API of the methods that return subscription statuses, for which a test can simulate errors.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI {
    /// The type of the errors that a test can simulate for the API.
    public typealias Failure = SKTestFailures.SubscriptionStatus

    /// Creates a value that identifies the API.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// Identifies the methods that return subscription statuses, for `SKTestSession.setSimulatedError(_:forAPI:)`.
    public static var subscriptionStatus: StoreKitSubscriptionStatusAPI { StoreKitSubscriptionStatusAPI() }
}

/// The API of `AppTransaction.shared` and `AppTransaction.refresh()`, for which a test can simulate errors.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI {
    /// The type of the errors that a test can simulate for the API.
    public typealias Failure = SKTestFailures.AppTransaction

    /// Creates a value that identifies the API.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// Identifies `AppTransaction.shared` and `AppTransaction.refresh()`, for `SKTestSession.setSimulatedError(_:forAPI:)`.
    public static var appTransaction: StoreKitAppTransactionAPI { StoreKitAppTransactionAPI() }
}

/// The API of the sheet in which the user manages subscriptions, for which a test can simulate errors.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI {
    /// The type of the errors that a test can simulate for the API.
    public typealias Failure = SKTestFailures.ManageSubscriptions

    /// Creates a value that identifies the API.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// Identifies the sheet in which the user manages subscriptions, for `SKTestSession.setSimulatedError(_:forAPI:)`.
    public static var manageSubscriptions: StoreKitManageSubscriptionsAPI { StoreKitManageSubscriptionsAPI() }
}

/// The API of the sheet in which the user redeems an offer code, for which a test can simulate errors.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI {
    /// The type of the errors that a test can simulate for the API.
    public typealias Failure = SKTestFailures.OfferCodeRedeem

    /// Creates a value that identifies the API.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// Identifies the sheet in which the user redeems an offer code, for `SKTestSession.setSimulatedError(_:forAPI:)`.
    public static var offerCodeRedeem: StoreKitOfferCodeRedeemAPI { StoreKitOfferCodeRedeemAPI() }
}

/// The API of the sheet in which the user requests a refund, for which a test can simulate errors.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI {
    /// The type of the errors that a test can simulate for the API.
    public typealias Failure = SKTestFailures.RefundRequest

    /// Creates a value that identifies the API.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// Identifies the sheet in which the user requests a refund, for `SKTestSession.setSimulatedError(_:forAPI:)`.
    public static var refundRequest: StoreKitRefundRequestAPI { StoreKitRefundRequestAPI() }
}

/// The API of the verification of signed data, for which a test can simulate errors.
public struct StoreKitVerificationAPI: FailableStoreKitAPI {
    /// The type of the errors that a test can simulate for the API.
    public typealias Failure = SKTestFailures.Verification

    /// Creates a value that identifies the API.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// Identifies the verification of signed data, for `SKTestSession.setSimulatedError(_:forAPI:)`.
    public static var verification: StoreKitVerificationAPI { StoreKitVerificationAPI() }
}
