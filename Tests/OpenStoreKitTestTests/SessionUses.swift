import Foundation
import PurchaseTestSupport
import StoreKit
import StoreKitTest

/// StoreKitTest's sessions, transactions, purchase options, failures and errors.
extension StoreKitUses {
    mutating func addSessions() {
        of("SKTestSession", SKTestSession.self)
        has("init(configurationFileNamed:)", { (a: String) throws -> SKTestSession in try SKTestSession(configurationFileNamed: a) })
        has("init(contentsOf:)", { (a: URL) throws -> SKTestSession in try SKTestSession(contentsOf: a) })
        has("askToBuyEnabled", \SKTestSession.askToBuyEnabled as ReferenceWritableKeyPath<SKTestSession, Bool>)
        has("disableDialogs", \SKTestSession.disableDialogs as ReferenceWritableKeyPath<SKTestSession, Bool>)
        has("failTransactionsEnabled", \SKTestSession.failTransactionsEnabled as ReferenceWritableKeyPath<SKTestSession, Bool>)
        has("failureError", \SKTestSession.failureError as ReferenceWritableKeyPath<SKTestSession, SKError.Code>)
        has("interruptedPurchasesEnabled", \SKTestSession.interruptedPurchasesEnabled as ReferenceWritableKeyPath<SKTestSession, Bool>)
        has(
            "shouldEnterBillingRetryOnRenewal",
            \SKTestSession.shouldEnterBillingRetryOnRenewal as ReferenceWritableKeyPath<SKTestSession, Bool>)
        has("billingGracePeriodIsEnabled", \SKTestSession.billingGracePeriodIsEnabled as ReferenceWritableKeyPath<SKTestSession, Bool>)
        has("storefront", \SKTestSession.storefront as ReferenceWritableKeyPath<SKTestSession, String>)
        has("locale", \SKTestSession.locale as ReferenceWritableKeyPath<SKTestSession, Locale>)
        has("timeRate", \SKTestSession.timeRate as ReferenceWritableKeyPath<SKTestSession, SKTestSession.TimeRate>)
        has(
            "setSimulatedError(_:forAPI:)",
            { (it: SKTestSession, a: SKTestFailures.Purchase?) async throws in try await it.setSimulatedError(a, forAPI: .purchase) })
        has(
            "simulatedError(forAPI:)",
            { (it: SKTestSession) async -> SKTestFailures.Purchase? in await it.simulatedError(forAPI: .purchase) })
        has(
            "buyProduct(identifier:options:)",
            { (it: SKTestSession, a: Product.ID, b: Set<Product.PurchaseOption>) async throws -> Transaction in
                try await it.buyProduct(identifier: a, options: b)
            })
        has("resetToDefaultState()", { (it: SKTestSession) in it.resetToDefaultState() })
        has("allTransactions()", { (it: SKTestSession) -> [SKTestTransaction] in it.allTransactions() })
        has("clearTransactions()", { (it: SKTestSession) in it.clearTransactions() })
        has("deleteTransaction(identifier:)", { (it: SKTestSession, a: Int) throws in try it.deleteTransaction(identifier: a) })
        has("refundTransaction(identifier:)", { (it: SKTestSession, a: Int) throws in try it.refundTransaction(identifier: a) })
        has(
            "approveAskToBuyTransaction(identifier:)",
            { (it: SKTestSession, a: Int) throws in try it.approveAskToBuyTransaction(identifier: a) })
        has(
            "declineAskToBuyTransaction(identifier:)",
            { (it: SKTestSession, a: Int) throws in try it.declineAskToBuyTransaction(identifier: a) })
        has(
            "resolveIssueForTransaction(identifier:)",
            { (it: SKTestSession, a: Int) throws in try it.resolveIssueForTransaction(identifier: a) })
        has("buyProduct(productIdentifier:)", { (it: SKTestSession, a: String) throws in try it.buyProduct(productIdentifier: a) })
        has(
            "enableAutoRenewForTransaction(identifier:)",
            { (it: SKTestSession, a: Int) throws in try it.enableAutoRenewForTransaction(identifier: a) })
        has(
            "disableAutoRenewForTransaction(identifier:)",
            { (it: SKTestSession, a: Int) throws in try it.disableAutoRenewForTransaction(identifier: a) })
        has(
            "forceRenewalOfSubscription(productIdentifier:)",
            { (it: SKTestSession, a: String) throws in try it.forceRenewalOfSubscription(productIdentifier: a) })
        has(
            "expireSubscription(productIdentifier:)",
            { (it: SKTestSession, a: String) throws in try it.expireSubscription(productIdentifier: a) })
        has(
            "requestPriceIncreaseConsentForTransaction(identifier:)",
            { (it: SKTestSession, a: Int) throws in try it.requestPriceIncreaseConsentForTransaction(identifier: a) })
        has(
            "consentToPriceIncreaseForTransaction(identifier:)",
            { (it: SKTestSession, a: Int) throws in try it.consentToPriceIncreaseForTransaction(identifier: a) })
        has(
            "declinePriceIncreaseForTransaction(identifier:)",
            { (it: SKTestSession, a: Int) throws in try it.declinePriceIncreaseForTransaction(identifier: a) })
        of("SKTestSession.TimeRate", SKTestSession.TimeRate.self)
        has("realTime", SKTestSession.TimeRate.realTime)
        has("oneHourIsOneDay", SKTestSession.TimeRate.oneHourIsOneDay)
        has("thirtyMinutesIsOneDay", SKTestSession.TimeRate.thirtyMinutesIsOneDay)
        has("fiveMinutesIsOneDay", SKTestSession.TimeRate.fiveMinutesIsOneDay)
        has("oneMinuteIsOneDay", SKTestSession.TimeRate.oneMinuteIsOneDay)
        has("thirtySecondsIsOneDay", SKTestSession.TimeRate.thirtySecondsIsOneDay)
        has("oneSecondIsOneDay", SKTestSession.TimeRate.oneSecondIsOneDay)
        has("monthlyRenewalEveryHour", SKTestSession.TimeRate.monthlyRenewalEveryHour)
        has("monthlyRenewalEveryThirtyMinutes", SKTestSession.TimeRate.monthlyRenewalEveryThirtyMinutes)
        has("monthlyRenewalEveryFifteenMinutes", SKTestSession.TimeRate.monthlyRenewalEveryFifteenMinutes)
        has("monthlyRenewalEveryFiveMinutes", SKTestSession.TimeRate.monthlyRenewalEveryFiveMinutes)
        has("monthlyRenewalEveryThirtySeconds", SKTestSession.TimeRate.monthlyRenewalEveryThirtySeconds)
        has("oneRenewalEveryFifteenMinutes", SKTestSession.TimeRate.oneRenewalEveryFifteenMinutes)
        has("oneRenewalEveryFiveMinutes", SKTestSession.TimeRate.oneRenewalEveryFiveMinutes)
        has("oneRenewalEveryMinute", SKTestSession.TimeRate.oneRenewalEveryMinute)
        has("oneRenewalEveryThirtySeconds", SKTestSession.TimeRate.oneRenewalEveryThirtySeconds)
        has("oneRenewalEveryTenSeconds", SKTestSession.TimeRate.oneRenewalEveryTenSeconds)
        has("oneRenewalEveryTwoSeconds", SKTestSession.TimeRate.oneRenewalEveryTwoSeconds)
    }

    mutating func addTestTransactions() {
        of("SKTestTransaction", SKTestTransaction.self)
        has("identifier", { (it: SKTestTransaction) -> UInt in it.identifier })
        has("originalTransactionIdentifier", { (it: SKTestTransaction) -> UInt in it.originalTransactionIdentifier })
        has("productIdentifier", { (it: SKTestTransaction) -> String in it.productIdentifier })
        has("purchaseDate", { (it: SKTestTransaction) -> Date in it.purchaseDate })
        has("expirationDate", { (it: SKTestTransaction) -> Date? in it.expirationDate })
        has("cancelDate", { (it: SKTestTransaction) -> Date? in it.cancelDate })
        has("autoRenewingEnabled", { (it: SKTestTransaction) -> Bool in it.autoRenewingEnabled })
        has("hasPurchaseIssue", { (it: SKTestTransaction) -> Bool in it.hasPurchaseIssue })
        has("isPendingPriceIncreaseConsent", { (it: SKTestTransaction) -> Bool in it.isPendingPriceIncreaseConsent })
        has("pendingAskToBuyConfirmation", { (it: SKTestTransaction) -> Bool in it.pendingAskToBuyConfirmation })
        has("state", { (it: SKTestTransaction) -> SKPaymentTransactionState in it.state })
    }

    mutating func addTestOptions() {
        of("Product.PurchaseOption.SubscriptionRenewalBehavior", Product.PurchaseOption.SubscriptionRenewalBehavior.self)
        has("renewUntilNow", Product.PurchaseOption.SubscriptionRenewalBehavior.renewUntilNow)
        has("cancelImmediately", Product.PurchaseOption.SubscriptionRenewalBehavior.cancelImmediately)
        add(
            "Product.PurchaseOption.purchaseDate(_:renewalBehavior:)",
            { (a: Date, b: Product.PurchaseOption.SubscriptionRenewalBehavior) -> Product.PurchaseOption in
                Product.PurchaseOption.purchaseDate(a, renewalBehavior: b)
            })
        add(
            "Product.PurchaseOption.codeOffer(referenceName:)",
            { (a: String) -> Product.PurchaseOption in Product.PurchaseOption.codeOffer(referenceName: a) })
        add(
            "Product.PurchaseOption.promotionalOffer(id:)",
            { (a: String) -> Product.PurchaseOption in Product.PurchaseOption.promotionalOffer(id: a) })
    }

    mutating func addFailures() {
        of("FailableStoreKitAPI", (any FailableStoreKitAPI).self)
        has("loadProducts", { () -> StoreKitLoadProductsAPI in .loadProducts })
        has("purchase", { () -> StoreKitPurchaseAPI in .purchase })
        has("appStoreSync", { () -> StoreKitAppStoreSyncAPI in .appStoreSync })
        has("subscriptionStatus", { () -> StoreKitSubscriptionStatusAPI in .subscriptionStatus })
        has("appTransaction", { () -> StoreKitAppTransactionAPI in .appTransaction })
        has("manageSubscriptions", { () -> StoreKitManageSubscriptionsAPI in .manageSubscriptions })
        has("offerCodeRedeem", { () -> StoreKitOfferCodeRedeemAPI in .offerCodeRedeem })
        has("refundRequest", { () -> StoreKitRefundRequestAPI in .refundRequest })
        has("verification", { () -> StoreKitVerificationAPI in .verification })
        has("Failure", (any FailableStoreKitAPI<SKTestFailures.Purchase>).self)
        of("StoreKitLoadProductsAPI", StoreKitLoadProductsAPI.self)
        has("init()", { () -> StoreKitLoadProductsAPI in StoreKitLoadProductsAPI() })
        has("Failure", StoreKitLoadProductsAPI.Failure.self)
        of("StoreKitPurchaseAPI", StoreKitPurchaseAPI.self)
        has("init()", { () -> StoreKitPurchaseAPI in StoreKitPurchaseAPI() })
        has("Failure", StoreKitPurchaseAPI.Failure.self)
        of("StoreKitAppStoreSyncAPI", StoreKitAppStoreSyncAPI.self)
        has("init()", { () -> StoreKitAppStoreSyncAPI in StoreKitAppStoreSyncAPI() })
        has("Failure", StoreKitAppStoreSyncAPI.Failure.self)
        of("StoreKitSubscriptionStatusAPI", StoreKitSubscriptionStatusAPI.self)
        has("init()", { () -> StoreKitSubscriptionStatusAPI in StoreKitSubscriptionStatusAPI() })
        has("Failure", StoreKitSubscriptionStatusAPI.Failure.self)
        of("StoreKitAppTransactionAPI", StoreKitAppTransactionAPI.self)
        has("init()", { () -> StoreKitAppTransactionAPI in StoreKitAppTransactionAPI() })
        has("Failure", StoreKitAppTransactionAPI.Failure.self)
        of("StoreKitManageSubscriptionsAPI", StoreKitManageSubscriptionsAPI.self)
        has("init()", { () -> StoreKitManageSubscriptionsAPI in StoreKitManageSubscriptionsAPI() })
        has("Failure", StoreKitManageSubscriptionsAPI.Failure.self)
        of("StoreKitRefundRequestAPI", StoreKitRefundRequestAPI.self)
        has("init()", { () -> StoreKitRefundRequestAPI in StoreKitRefundRequestAPI() })
        has("Failure", StoreKitRefundRequestAPI.Failure.self)
        of("StoreKitOfferCodeRedeemAPI", StoreKitOfferCodeRedeemAPI.self)
        has("init()", { () -> StoreKitOfferCodeRedeemAPI in StoreKitOfferCodeRedeemAPI() })
        has("Failure", StoreKitOfferCodeRedeemAPI.Failure.self)
        of("StoreKitVerificationAPI", StoreKitVerificationAPI.self)
        has("init()", { () -> StoreKitVerificationAPI in StoreKitVerificationAPI() })
        has("Failure", StoreKitVerificationAPI.Failure.self)
        of("SKTestFailure", (any SKTestFailure).self)
        of("SKTestFailures", SKTestFailures.self)
        of("SKTestFailures.LoadProducts", SKTestFailures.LoadProducts.self as any SKTestFailure.Type)
        has("generic(_:)", { (a: StoreKitError) -> SKTestFailures.LoadProducts in .generic(a) })
        of("SKTestFailures.Purchase", SKTestFailures.Purchase.self as any SKTestFailure.Type)
        has("generic(_:)", { (a: StoreKitError) -> SKTestFailures.Purchase in .generic(a) })
        has("purchase(_:)", { (a: Product.PurchaseError) -> SKTestFailures.Purchase in .purchase(a) })
        of("SKTestFailures.AppStoreSync", SKTestFailures.AppStoreSync.self as any SKTestFailure.Type)
        has("generic(_:)", { (a: StoreKitError) -> SKTestFailures.AppStoreSync in .generic(a) })
        of("SKTestFailures.SubscriptionStatus", SKTestFailures.SubscriptionStatus.self as any SKTestFailure.Type)
        has("generic(_:)", { (a: StoreKitError) -> SKTestFailures.SubscriptionStatus in .generic(a) })
        of("SKTestFailures.AppTransaction", SKTestFailures.AppTransaction.self as any SKTestFailure.Type)
        has("generic(_:)", { (a: StoreKitError) -> SKTestFailures.AppTransaction in .generic(a) })
        of("SKTestFailures.ManageSubscriptions", SKTestFailures.ManageSubscriptions.self as any SKTestFailure.Type)
        has("generic(_:)", { (a: StoreKitError) -> SKTestFailures.ManageSubscriptions in .generic(a) })
        of("SKTestFailures.RefundRequest", SKTestFailures.RefundRequest.self as any SKTestFailure.Type)
        has("generic(_:)", { (a: StoreKitError) -> SKTestFailures.RefundRequest in .generic(a) })
        has("refundRequest(_:)", { (a: Transaction.RefundRequestError) -> SKTestFailures.RefundRequest in .refundRequest(a) })
        of("SKTestFailures.OfferCodeRedeem", SKTestFailures.OfferCodeRedeem.self as any SKTestFailure.Type)
        has("generic(_:)", { (a: StoreKitError) -> SKTestFailures.OfferCodeRedeem in .generic(a) })
        of("SKTestFailures.Verification", SKTestFailures.Verification.self as any SKTestFailure.Type)
        has("verification(_:)", { (a: VerificationResult<Any>.VerificationError) -> SKTestFailures.Verification in .verification(a) })
    }

    mutating func addTestErrors() {
        of("SKTestError", SKTestError.self as any (CustomNSError & Hashable).Type)
        has("init(_:userInfo:)", { (a: SKTestError.Code, b: [String: Any]) -> SKTestError in SKTestError(a, userInfo: b) })
        has("errorDomain", SKTestError.errorDomain)
        has("serviceUnavailable", { () -> SKTestError.Code in SKTestError.serviceUnavailable })
        has("invalidProductIdentifier", { () -> SKTestError.Code in SKTestError.invalidProductIdentifier })
        has("invalidProductType", { () -> SKTestError.Code in SKTestError.invalidProductType })
        has("invalidURL", { () -> SKTestError.Code in SKTestError.invalidURL })
        has("fileNotFound", { () -> SKTestError.Code in SKTestError.fileNotFound })
        has("noSubscriptionFound", { () -> SKTestError.Code in SKTestError.noSubscriptionFound })
        has("noTransactionFound", { () -> SKTestError.Code in SKTestError.noTransactionFound })
        has("invalidAction", { () -> SKTestError.Code in SKTestError.invalidAction })
        has("code", { (it: SKTestError) -> SKTestError.Code in it.code })
        has("errorUserInfo", { (it: SKTestError) -> [String: Any] in it.errorUserInfo })
        has("errorCode", { (it: SKTestError) -> Int in it.errorCode })
        has("userInfo", { (it: SKTestError) -> [String: Any] in it.userInfo })
        has("errorDescription", { (it: SKTestError) -> String? in it.errorDescription })
        of("SKTestError.Code", SKTestError.Code.self)
        has("serviceUnavailable", SKTestError.Code.serviceUnavailable)
        has("invalidProductIdentifier", SKTestError.Code.invalidProductIdentifier)
        has("invalidProductType", SKTestError.Code.invalidProductType)
        has("invalidURL", SKTestError.Code.invalidURL)
        has("fileNotFound", SKTestError.Code.fileNotFound)
        has("noSubscriptionFound", SKTestError.Code.noSubscriptionFound)
        has("noTransactionFound", SKTestError.Code.noTransactionFound)
        has("invalidAction", SKTestError.Code.invalidAction)
        add("SKTestErrorDomain", SKTestErrorDomain)
    }
}
