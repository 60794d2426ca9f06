import Crypto
import Foundation
import PurchaseTestSupport
import StoreKit

/// StoreKit 1's products, requests and storefronts.
extension StoreKitUses {
    mutating func addStoreKit1Products() {
        of("SKProduct", SKProduct.self)
        has("init()", { () -> SKProduct in SKProduct() })
        has("productIdentifier", { (it: SKProduct) -> String in it.productIdentifier })
        has("localizedTitle", { (it: SKProduct) -> String in it.localizedTitle })
        has("localizedDescription", { (it: SKProduct) -> String in it.localizedDescription })
        has("price", { (it: SKProduct) -> NSDecimalNumber in it.price })
        has("priceLocale", { (it: SKProduct) -> Locale in it.priceLocale })
        has("isFamilyShareable", { (it: SKProduct) -> Bool in it.isFamilyShareable })
        has("subscriptionPeriod", { (it: SKProduct) -> SKProductSubscriptionPeriod? in it.subscriptionPeriod })
        has("subscriptionGroupIdentifier", { (it: SKProduct) -> String? in it.subscriptionGroupIdentifier })
        has("introductoryPrice", { (it: SKProduct) -> SKProductDiscount? in it.introductoryPrice })
        has("discounts", { (it: SKProduct) -> [SKProductDiscount] in it.discounts })
        has("isDownloadable", { (it: SKProduct) -> Bool in it.isDownloadable })
        has("downloadContentLengths", { (it: SKProduct) -> [NSNumber] in it.downloadContentLengths })
        has("downloadContentVersion", { (it: SKProduct) -> String in it.downloadContentVersion })
        has("contentLengths", { (it: SKProduct) -> [NSNumber] in it.contentLengths })
        has("contentVersion", { (it: SKProduct) -> String in it.contentVersion })
        has("setValue(_:forKey:)", { (it: SKProduct, a: Any?, b: String) in it.setValue(a, forKey: b) })
        of("SKProduct.PeriodUnit", SKProduct.PeriodUnit.self)
        has("day", SKProduct.PeriodUnit.day)
        has("week", SKProduct.PeriodUnit.week)
        has("month", SKProduct.PeriodUnit.month)
        has("year", SKProduct.PeriodUnit.year)
        of("SKProductSubscriptionPeriod", SKProductSubscriptionPeriod.self)
        has("init()", { () -> SKProductSubscriptionPeriod in SKProductSubscriptionPeriod() })
        has("numberOfUnits", { (it: SKProductSubscriptionPeriod) -> Int in it.numberOfUnits })
        has("unit", { (it: SKProductSubscriptionPeriod) -> SKProduct.PeriodUnit in it.unit })
        has("setValue(_:forKey:)", { (it: SKProductSubscriptionPeriod, a: Any?, b: String) in it.setValue(a, forKey: b) })
        of("SKProductDiscount", SKProductDiscount.self)
        has("init()", { () -> SKProductDiscount in SKProductDiscount() })
        has("price", { (it: SKProductDiscount) -> NSDecimalNumber in it.price })
        has("priceLocale", { (it: SKProductDiscount) -> Locale in it.priceLocale })
        has("identifier", { (it: SKProductDiscount) -> String? in it.identifier })
        has("subscriptionPeriod", { (it: SKProductDiscount) -> SKProductSubscriptionPeriod in it.subscriptionPeriod })
        has("numberOfPeriods", { (it: SKProductDiscount) -> Int in it.numberOfPeriods })
        has("paymentMode", { (it: SKProductDiscount) -> SKProductDiscount.PaymentMode in it.paymentMode })
        has("type", { (it: SKProductDiscount) -> SKProductDiscount.`Type` in it.type })
        has("setValue(_:forKey:)", { (it: SKProductDiscount, a: Any?, b: String) in it.setValue(a, forKey: b) })
        of("SKProductDiscount.PaymentMode", SKProductDiscount.PaymentMode.self)
        has("payAsYouGo", SKProductDiscount.PaymentMode.payAsYouGo)
        has("payUpFront", SKProductDiscount.PaymentMode.payUpFront)
        has("freeTrial", SKProductDiscount.PaymentMode.freeTrial)
        of("SKProductDiscount.Type", [SKProductDiscount.`Type`].self)
        has("introductory", .introductory as SKProductDiscount.`Type`)
        has("subscription", .subscription as SKProductDiscount.`Type`)
    }

    mutating func addRequests() {
        of("SKRequest", SKRequest.self)
        has("init()", { () -> SKRequest in SKRequest() })
        has("start()", { (it: SKRequest) in it.start() })
        has("cancel()", { (it: SKRequest) in it.cancel() })
        of("SKRequestDelegate", (any SKRequestDelegate).self)
        has("requestDidFinish(_:)", { (it: any SKRequestDelegate, a: SKRequest) in it.requestDidFinish(a) })
        has(
            "request(_:didFailWithError:)",
            { (it: any SKRequestDelegate, a: SKRequest, b: any Error) in it.request(a, didFailWithError: b) })
        of("SKProductsRequest", SKProductsRequest.self)
        has("init(productIdentifiers:)", { (a: Set<String>) -> SKProductsRequest in SKProductsRequest(productIdentifiers: a) })
        has("init()", { () -> SKProductsRequest in SKProductsRequest() })
        has("delegate", \SKProductsRequest.delegate as ReferenceWritableKeyPath<SKProductsRequest, (any SKProductsRequestDelegate)?>)
        has("start()", { (it: SKProductsRequest) in it.start() })
        of("SKProductsRequestDelegate", (any SKProductsRequestDelegate).self)
        has(
            "productsRequest(_:didReceive:)",
            { (it: any SKProductsRequestDelegate, a: SKProductsRequest, b: SKProductsResponse) in it.productsRequest(a, didReceive: b) })
        of("SKProductsResponse", SKProductsResponse.self)
        has("init()", { () -> SKProductsResponse in SKProductsResponse() })
        has("products", { (it: SKProductsResponse) -> [SKProduct] in it.products })
        has("invalidProductIdentifiers", { (it: SKProductsResponse) -> [String] in it.invalidProductIdentifiers })
        has("setValue(_:forKey:)", { (it: SKProductsResponse, a: Any?, b: String) in it.setValue(a, forKey: b) })
        of("SKReceiptRefreshRequest", SKReceiptRefreshRequest.self)
        has("init(receiptProperties:)", { (a: [String: Any]?) -> SKReceiptRefreshRequest in SKReceiptRefreshRequest(receiptProperties: a) })
        has("init()", { () -> SKReceiptRefreshRequest in SKReceiptRefreshRequest() })
        has("delegate", \SKReceiptRefreshRequest.delegate as ReferenceWritableKeyPath<SKReceiptRefreshRequest, (any SKRequestDelegate)?>)
        has("receiptProperties", { (it: SKReceiptRefreshRequest) -> [String: Any]? in it.receiptProperties })
        has("start()", { (it: SKReceiptRefreshRequest) in it.start() })
        add("SKReceiptPropertyIsExpired", SKReceiptPropertyIsExpired)
        add("SKReceiptPropertyIsRevoked", SKReceiptPropertyIsRevoked)
        add("SKReceiptPropertyIsVolumePurchase", SKReceiptPropertyIsVolumePurchase)
        add("SKRequest.delegate", \SKRequest.delegate as ReferenceWritableKeyPath<SKRequest, (any SKRequestDelegate)?>)
        add("SKProductsRequest.cancel()", { (it: SKProductsRequest) in it.cancel() })
        add("SKReceiptRefreshRequest.cancel()", { (it: SKReceiptRefreshRequest) in it.cancel() })
    }

    mutating func addStoreKit1Storefronts() {
        of("SKStorefront", SKStorefront.self)
        has("init()", { () -> SKStorefront in SKStorefront() })
        has("countryCode", { (it: SKStorefront) -> String in it.countryCode })
        has("identifier", { (it: SKStorefront) -> String in it.identifier })
        has("hash", { (it: SKStorefront) -> Int in it.hash })
        has("isEqual(_:)", { (it: SKStorefront, a: Any?) -> Bool in it.isEqual(a) })
        has("setValue(_:forKey:)", { (it: SKStorefront, a: Any?, b: String) in it.setValue(a, forKey: b) })
    }
}
