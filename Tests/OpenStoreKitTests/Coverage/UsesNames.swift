import Crypto
import Foundation
import OpenStoreKit
import PurchaseTestSupport

/// Short names, and names under `StoreKit`.
extension StoreKitUses {
    mutating func addNames() {
        add("SubscriptionInfo", SubscriptionInfo.self)
        add("SubscriptionPeriod", SubscriptionPeriod.self)
        add("SubscriptionRenewalInfo", SubscriptionRenewalInfo.self)
        add("SubscriptionRenewalState", SubscriptionRenewalState.self)
        add("SubscriptionStatus", SubscriptionStatus.self)
        of("StoreKit", StoreKit.self)
        has("SKDownload", StoreKit.SKDownload.self)
        has("SKDownloadState", StoreKit.SKDownloadState.self)
        has("SKError", StoreKit.SKError.self)
        has("SKMutablePayment", StoreKit.SKMutablePayment.self)
        has("SKPayment", StoreKit.SKPayment.self)
        has("SKPaymentDiscount", StoreKit.SKPaymentDiscount.self)
        has("SKPaymentQueue", StoreKit.SKPaymentQueue.self)
        has("SKPaymentQueueDelegate", (any StoreKit.SKPaymentQueueDelegate).self)
        has("SKPaymentTransaction", StoreKit.SKPaymentTransaction.self)
        has("SKPaymentTransactionObserver", (any StoreKit.SKPaymentTransactionObserver).self)
        has("SKPaymentTransactionState", StoreKit.SKPaymentTransactionState.self)
        has("SKProduct", StoreKit.SKProduct.self)
        has("SKProductDiscount", StoreKit.SKProductDiscount.self)
        has("SKProductSubscriptionPeriod", StoreKit.SKProductSubscriptionPeriod.self)
        has("SKProductsRequest", StoreKit.SKProductsRequest.self)
        has("SKProductsRequestDelegate", (any StoreKit.SKProductsRequestDelegate).self)
        has("SKProductsResponse", StoreKit.SKProductsResponse.self)
        has("SKReceiptRefreshRequest", StoreKit.SKReceiptRefreshRequest.self)
        has("SKRequest", StoreKit.SKRequest.self)
        has("SKRequestDelegate", (any StoreKit.SKRequestDelegate).self)
        has("SKStoreReviewController", StoreKit.SKStoreReviewController.self)
        has("SKStorefront", StoreKit.SKStorefront.self)
        has("AppStore", StoreKit.AppStore.self)
        has("AppTransaction", StoreKit.AppTransaction.self)
        has("Message", StoreKit.Message.self)
        has("Product", StoreKit.Product.self)
        has("PurchaseIntent", StoreKit.PurchaseIntent.self)
        has("StoreKitError", StoreKit.StoreKitError.self)
        has("Storefront", StoreKit.Storefront.self)
        has("SubscriptionInfo", StoreKit.SubscriptionInfo.self)
        has("SubscriptionPeriod", StoreKit.SubscriptionPeriod.self)
        has("SubscriptionRenewalInfo", StoreKit.SubscriptionRenewalInfo.self)
        has("SubscriptionRenewalState", StoreKit.SubscriptionRenewalState.self)
        has("SubscriptionStatus", StoreKit.SubscriptionStatus.self)
        has("Transaction", StoreKit.Transaction.self)
        has("VerificationResult", StoreKit.VerificationResult<Transaction>.self)
    }
}
