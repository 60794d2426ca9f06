// The names of StoreKit 2 under the module's name: apps with a `Transaction` or `Product` of their own write `StoreKit.Transaction`.

extension StoreKit {
    /// OpenStoreKit's.
    public typealias AppStore = OpenStoreKit.AppStore
    /// OpenStoreKit's.
    public typealias AppTransaction = OpenStoreKit.AppTransaction
    /// OpenStoreKit's.
    public typealias Message = OpenStoreKit.Message
    /// OpenStoreKit's.
    public typealias Product = OpenStoreKit.Product
    /// OpenStoreKit's.
    public typealias PurchaseIntent = OpenStoreKit.PurchaseIntent
    /// OpenStoreKit's.
    public typealias StoreKitError = OpenStoreKit.StoreKitError
    /// OpenStoreKit's.
    public typealias Storefront = OpenStoreKit.Storefront
    /// OpenStoreKit's.
    public typealias SubscriptionInfo = OpenStoreKit.SubscriptionInfo
    /// OpenStoreKit's.
    public typealias SubscriptionPeriod = OpenStoreKit.SubscriptionPeriod
    /// OpenStoreKit's.
    public typealias SubscriptionRenewalInfo = OpenStoreKit.SubscriptionRenewalInfo
    /// OpenStoreKit's.
    public typealias SubscriptionRenewalState = OpenStoreKit.SubscriptionRenewalState
    /// OpenStoreKit's.
    public typealias SubscriptionStatus = OpenStoreKit.SubscriptionStatus
    /// OpenStoreKit's.
    public typealias Transaction = OpenStoreKit.Transaction
    /// OpenStoreKit's.
    public typealias VerificationResult = OpenStoreKit.VerificationResult
}
