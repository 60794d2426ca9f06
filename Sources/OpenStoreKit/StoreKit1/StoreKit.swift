/// The names of StoreKit 1 under the module's name, so that `StoreKit.SKProduct` compiles here as well.
public enum StoreKit {
    /// OpenStoreKit's.
    public typealias SKDownload = OpenStoreKit.SKDownload
    /// OpenStoreKit's.
    public typealias SKDownloadState = OpenStoreKit.SKDownloadState
    /// OpenStoreKit's.
    public typealias SKError = OpenStoreKit.SKError
    /// OpenStoreKit's.
    public typealias SKMutablePayment = OpenStoreKit.SKMutablePayment
    /// OpenStoreKit's.
    public typealias SKPayment = OpenStoreKit.SKPayment
    /// OpenStoreKit's.
    public typealias SKPaymentDiscount = OpenStoreKit.SKPaymentDiscount
    /// OpenStoreKit's.
    public typealias SKPaymentQueue = OpenStoreKit.SKPaymentQueue
    /// OpenStoreKit's.
    public typealias SKPaymentQueueDelegate = OpenStoreKit.SKPaymentQueueDelegate
    /// OpenStoreKit's.
    public typealias SKPaymentTransaction = OpenStoreKit.SKPaymentTransaction
    /// OpenStoreKit's.
    public typealias SKPaymentTransactionObserver = OpenStoreKit.SKPaymentTransactionObserver
    /// OpenStoreKit's.
    public typealias SKPaymentTransactionState = OpenStoreKit.SKPaymentTransactionState
    /// OpenStoreKit's.
    public typealias SKProduct = OpenStoreKit.SKProduct
    /// OpenStoreKit's.
    public typealias SKProductDiscount = OpenStoreKit.SKProductDiscount
    /// OpenStoreKit's.
    public typealias SKProductSubscriptionPeriod = OpenStoreKit.SKProductSubscriptionPeriod
    /// OpenStoreKit's.
    public typealias SKProductsRequest = OpenStoreKit.SKProductsRequest
    /// OpenStoreKit's.
    public typealias SKProductsRequestDelegate = OpenStoreKit.SKProductsRequestDelegate
    /// OpenStoreKit's.
    public typealias SKProductsResponse = OpenStoreKit.SKProductsResponse
    /// OpenStoreKit's.
    public typealias SKReceiptRefreshRequest = OpenStoreKit.SKReceiptRefreshRequest
    /// OpenStoreKit's.
    public typealias SKRequest = OpenStoreKit.SKRequest
    /// OpenStoreKit's.
    public typealias SKRequestDelegate = OpenStoreKit.SKRequestDelegate
    /// OpenStoreKit's.
    public typealias SKStoreReviewController = OpenStoreKit.SKStoreReviewController
    /// OpenStoreKit's.
    public typealias SKStorefront = OpenStoreKit.SKStorefront
}
