import AppStoreServerAPI
import Foundation
import LocalAppStore
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

/// Each endpoint against a local store over HTTP.
@Suite struct LocalStoreTests {
    @Test func `a transaction is requested and finished, and its token is set`() async throws {
        try await StoreHarness.listen { store in
            let (api, bought) = (try store.serverAPI(), try await store.bought(.book))
            let customer: CustomerID = "3C6F8A52-91D4-4E0B-A7F3-5D2B1C0E9F84"
            try await api.setAppAccountToken(
                originalTransactionId: bought.transactionId, updateAppAccountTokenRequest: AppAccountTokenRequest(appAccountToken: customer)
            )
            try await api.finishTransaction(transactionId: bought.transactionId)
            try await api.finishTransaction(transactionId: bought.transactionId)
            let again = try await api.getTransactionInfo(transactionId: bought.transactionId)
            let payload = try await store.payloads([again.signedTransactionInfo])[0]
            #expect(payload.transactionId == bought.transactionId && payload.productId == .book)
            #expect(payload.appAccountToken == customer)
            let app = try await api.getAppTransactionInfo(transactionId: bought.transactionId)
            #expect(try await store.verifier.verify(app.signedAppTransactionInfo).payload.bundleId == .test)
        }
    }

    @Test func `a history is read page by page with the same filters, and continues after its last revision`() async throws {
        try await StoreHarness.listen { store in
            let api = try store.serverAPI()
            var ids: [TransactionID] = []
            for _ in 0..<45 { ids.append(try await store.bought(.credits).transactionId) }
            _ = try await store.bought(.book)
            var request = TransactionHistoryRequest()
            request.productIds = [.credits]
            request.productTypes = [.consumable, .nonConsumable]
            var (found, sizes, revision) = ([TransactionID](), [Int](), "")
            for try await page in api.transactionHistory(transactionId: ids[7], transactionHistoryRequest: request) {
                #expect(page.bundleId == .test && page.environment == "Sandbox" && page.appAppleId == nil)
                sizes.append(page.signedTransactions.count)
                found += try await store.payloads(page.signedTransactions).map(\.transactionId)
                revision = page.revision
            }
            #expect(sizes == [20, 20, 5] && found == ids)
            let later = try await store.bought(.credits).transactionId
            var changes: [TransactionID] = []
            for try await page in api.transactionHistory(transactionId: later, after: revision, transactionHistoryRequest: request) {
                changes += try await store.payloads(page.signedTransactions).map(\.transactionId)
            }
            #expect(changes == [later])
        }
    }

    @Test func `version 1 of the history omits finished consumables`() async throws {
        try await StoreHarness.listen { store in
            let (api, id) = (try store.serverAPI(), try await store.bought(.credits).transactionId)
            try await api.finishTransaction(transactionId: id)
            #expect(try await api.getTransactionHistory(transactionId: id, version: .v1).signedTransactions.isEmpty)
            #expect(try await api.getTransactionHistory(transactionId: id).signedTransactions.count == 1)
            for try await page in api.transactionHistory(transactionId: id, version: .v1) { #expect(page.signedTransactions.isEmpty) }
        }
    }

    @Test func `refunds are read page by page, and in version 1 at once`() async throws {
        try await StoreHarness.listen { store in
            let api = try store.serverAPI()
            var ids: [TransactionID] = []
            for _ in 0..<22 { ids.append(try await store.bought(.credits).transactionId) }
            for id in ids { try await store.refund(id) }
            var found: [TransactionID] = []
            for try await page in api.refundHistory(transactionId: ids[0]) {
                found += try await store.payloads(page.signedTransactions).map(\.transactionId)
            }
            #expect(found == ids)
            let newest = try await api.getRefundHistoryV1(originalTransactionId: ids[3])
            #expect(try await store.payloads(newest.signedTransactions).map(\.transactionId) == ids)
        }
    }

    @Test func `consumption information is accepted in both versions`() async throws {
        try await StoreHarness.listen { store in
            let api = try store.serverAPI()
            let (first, second) = (try await store.bought(.credits).transactionId, try await store.bought(.credits).transactionId)
            for id in [first, second] { _ = try await store.call(ControlEndpoints.requestRefund, RefundRequest(transactionID: id)) }
            try await api.sendConsumptionInformation(
                transactionId: first,
                consumptionRequest: ConsumptionRequest(
                    customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false, consumptionPercentage: 25_000,
                    refundPreference: .grantProrated))
            var old = ConsumptionRequestV1(customerConsented: true, sampleContentProvided: false, deliveryStatus: 0)
            old.refundPreference = 2
            try await api.sendConsumptionData(transactionId: second, consumptionRequest: old)
            try await store.advance(seconds: 13 * 3600)
            let payloads = try await store.payloads(
                [first, second].asyncMap { try await api.getTransactionInfo(transactionId: $0).signedTransactionInfo })
            #expect(payloads[0].revocationPercentage == 75_000 && payloads[1].revocationDate == nil)
        }
    }

    @Test func `subscription statuses are filtered`() async throws {
        try await StoreHarness.listen { store in
            let (api, id) = (try store.serverAPI(), try await store.bought(.magazine).transactionId)
            let status = try await api.getAllSubscriptionStatuses(transactionId: id, status: [.active, .gracePeriod])
            let last = try #require(status.data.first?.lastTransactions.first)
            #expect(status.bundleId == .test && last.originalTransactionId == id && last.subscriptionStatus == .active)
            #expect(try await store.verifier.verify(last.signedRenewalInfo).payload.originalTransactionId == id)
            #expect(try await api.getAllSubscriptionStatuses(transactionId: id, status: [.expired]).data.isEmpty)
        }
    }

    @Test func `renewal dates are extended`() async throws {
        try await StoreHarness.listen { store in
            let (api, id) = (try store.serverAPI(), try await store.bought(.magazineWeekly).transactionId)
            let request = ExtendRenewalDateRequest(extendByDays: 3, extendReasonCode: .serviceIssue, requestIdentifier: "outage")
            let extended = try await api.extendSubscriptionRenewalDate(originalTransactionId: id, extendRenewalDateRequest: request)
            #expect(extended.success && extended.originalTransactionId == id && extended.effectiveDate != nil)
            let name = UUID().uuidString.lowercased()
            let mass = MassExtendRenewalDateRequest(
                extendByDays: 2, extendReasonCode: .other, requestIdentifier: name, storefrontCountryCodes: ["USA"],
                productId: .magazineWeekly)
            for _ in 0..<2 {
                let response = try await api.extendRenewalDateForAllActiveSubscribers(massExtendRenewalDateRequest: mass)
                #expect(response.requestIdentifier == name)
            }
            try await store.advance(seconds: 60)
            let done = try await api.getStatusOfSubscriptionRenewalDateExtensions(requestIdentifier: name, productId: .magazineWeekly)
            #expect(done.complete && done.completeDate != nil && done.succeededCount == 1 && done.failedCount == 0)
        }
    }

    @Test func `a test notification is sent, and notifications are read page by page`() async throws {
        try await StoreHarness.listen { store in
            let api = try store.serverAPI()
            try await store.setNotificationURL()
            let token = try await api.requestTestNotification().testNotificationToken
            try await store.advance(seconds: 1)
            let test = try await api.getTestNotificationStatus(testNotificationToken: token)
            #expect(!test.sendAttempts.isEmpty)
            #expect(try await store.verifier.verify(test.signedPayload).notification.payload.notificationType == "TEST")
            for _ in 0..<41 { _ = try await store.bought(.credits) }
            let now = store.clock.now
            let request = NotificationHistoryRequest(
                startDate: now.adding(days: -1), endDate: now.adding(days: 1), notificationType: "ONE_TIME_CHARGE")
            var sizes: [Int] = []
            for try await page in api.notificationHistory(notificationHistoryRequest: request) {
                sizes.append(page.notificationHistory.count)
            }
            #expect(sizes == [20, 20, 1])
        }
    }

    @Test func `orders and app Apple IDs exist in production`() async throws {
        try await StoreHarness.listen { store in
            let api = try store.serverAPI(in: .production)
            try await store.createAccount("real@example.com")
            try await store.set("real@example.com") { $0.environment = .production }
            _ = try await store.buy(.credits, for: "real@example.com")
            let listed = try await store.call(ControlEndpoints.transactions, Empty(), ["account": "real@example.com"])
            let summary = try #require(listed.summaries.first)
            let order = try await api.lookUpOrderId(orderId: summary.orderID)
            #expect(order.status == 0 && order.signedTransactions?.count == 1)
            let unknown = try await api.lookUpOrderId(orderId: "MNOTTHERE")
            #expect(unknown.status == 1 && unknown.signedTransactions == nil)
            let page = try await api.getTransactionHistory(transactionId: summary.payload.transactionId)
            #expect(page.environment == "Production" && page.appAppleId != nil)
        }
    }

    // MARK: Failures

    @Test func `a wrong local clock is corrected`() async throws {
        try await StoreHarness.listen(clock: SystemWallClock()) { store in
            let wrong = ManualClock(SystemWallClock().now.adding(seconds: -7200))
            let api = try store.serverAPI(clock: wrong)
            await #expect(throws: AppStoreServerAPIError.refused(.transactionIdNotFound)) {
                try await api.getTransactionInfo(transactionId: "1")
            }
            let hopeless = try store.serverAPI(clock: ManualClock(Timestamp(milliseconds: 0)))
            let error = await #expect(throws: AppStoreServerAPIError.self) { try await hopeless.getTransactionInfo(transactionId: "1") }
            guard case .unauthorized(let skew?)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(skew < -1_700_000_000)
        }
    }

    @Test func `another key is refused without a clock skew`() async throws {
        try await StoreHarness.listen(clock: SystemWallClock()) { store in
            let configuration = try TestClient.configuration(.localTesting, baseURL: store.url)
            let api = AppStoreServerAPIClient(configuration)
            await #expect(throws: AppStoreServerAPIError.unauthorized(clockSkew: nil)) {
                try await api.getTransactionInfo(transactionId: "1")
            }
        }
    }

    @Test func `the store's rate limit states when to continue`() async throws {
        try await StoreHarness.listen(clock: SystemWallClock()) { store in
            let api = try store.serverAPI()
            store.store.setRateLimits(.init(requestsPerHour: [.transactionInfo: 10]))
            _ = try? await api.getTransactionInfo(transactionId: "1")
            let error = await #expect(throws: AppStoreServerAPIError.self) { try await api.getTransactionInfo(transactionId: "1") }
            if case .rateLimited(let until?)? = error {
                #expect(until > store.clock.now && until <= store.clock.now.adding(seconds: 3601))
            } else if case .api? = error {
                // The hour ended between the two requests, or within the budget of a minute.
            } else {
                Issue.record("\(String(describing: error))")
            }
        }
    }

    /// Failures that the store simulates once.
    static let faults: [FaultKind] = [
        .lostReply, .status(code: 500, retryAfterSeconds: nil), .status(code: 503, retryAfterSeconds: 1),
        .status(code: 429, retryAfterSeconds: nil),
    ]

    @Test(arguments: faults) func `a temporary failure of the store is repeated`(_ fault: FaultKind) async throws {
        try await StoreHarness.listen { store in
            let (api, id) = (try store.serverAPI(), try await store.bought(.credits).transactionId)
            try await store.enable(fault, count: 2)
            _ = try await api.getTransactionInfo(transactionId: id)
        }
    }

    @Test func `the store's Retry-After is waited for`() async throws {
        try await StoreHarness.listen(clock: SystemWallClock()) { store in
            let (timer, id) = (InstantTimer(), try await store.bought(.credits).transactionId)
            try await store.enable(.status(code: 429, retryAfterSeconds: 20), count: 1)
            _ = try await store.serverAPI(timer: timer).getTransactionInfo(transactionId: id)
            #expect(timer.delays.count == 1)
            #expect(timer.delays.allSatisfy { $0 > .seconds(18) && $0 <= .seconds(20.5) }, "\(timer.delays)")
        }
    }

    @Test func `a lost reply does not extend a subscription twice`() async throws {
        try await StoreHarness.listen { store in
            let (api, bought) = (try store.serverAPI(), try await store.bought(.magazine))
            let request = ExtendRenewalDateRequest(extendByDays: 10, extendReasonCode: .other, requestIdentifier: "x")
            try await store.enable(.lostReply, count: 1)
            let error = await #expect(throws: AppStoreServerAPIError.unavailable(.noResponse)) {
                try await api.extendSubscriptionRenewalDate(originalTransactionId: bought.transactionId, extendRenewalDateRequest: request)
            }
            #expect(error?.mayHaveBeenProcessed == true)
            let status = try await api.getAllSubscriptionStatuses(transactionId: bought.transactionId)
            let last = try #require(status.data.first?.lastTransactions.first)
            let expires = try await store.payloads([last.signedTransactionInfo])[0].expiresDate
            #expect(expires == bought.expiresDate?.adding(days: 10))
        }
    }
}

extension AppStoreServerAPIError {
    /// The error of the store's response for an error of the App Store Server API.
    static func refused(_ error: ServerAPIError) -> AppStoreServerAPIError {
        .api(ServerAPIErrorResponse(status: error.status, code: error.code, message: error.message))
    }
}

extension Array {
    /// Returns the results of an asynchronous function, in order.
    func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
