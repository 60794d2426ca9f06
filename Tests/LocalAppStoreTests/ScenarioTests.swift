import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

/// Tests of the scenarios of StoreKit Testing in Xcode, configured with a `.storekit` file.
struct ScenarioTests {
    @Test func `a purchase is in the history and stays unfinished until the app finishes it`() async throws {
        try await Self.store { harness in
            let phone = try await harness.signIn()
            let book = try await phone.buy(.book)
            #expect(try await Self.owned(phone) == [.book])
            #expect(try await phone.unfinishedTransactions().map(\.transactionId) == [book.transactionId])
            try await phone.finish(book.transactionId)
            #expect(try await phone.unfinished().transactions.isEmpty)
            #expect(try await Self.owned(phone) == [.book])
        }
    }

    @Test(arguments: [true, false])
    func `an Ask to Buy purchase is pending until a parent approves or declines it`(_ approves: Bool) async throws {
        try await Self.store("\"_askToBuyEnabled\" : true") { harness in
            let phone = try await harness.signIn()
            let payment = PaymentID(UUID())
            #expect(try await phone.purchase(.book, payment: payment) == .deferred)
            #expect(try await harness.charges().isEmpty)
            try await harness.decide(payment, approve: approves)
            #expect(try await phone.unfinishedTransactions().map(\.productId) == (approves ? [.book] : []))
            #expect(try await phone.unfinished().declined == (approves ? [] : [payment]))
            #expect(try await harness.charges().count == (approves ? 1 : 0))
        }
    }

    @Test func `refusals, finished purchases and restores are one event each`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            try await harness.setPaymentMethod(isValid: false)
            _ = try await phone.purchase(.book)
            try await harness.setPaymentMethod(isValid: true)
            let book = try await phone.buy(.book)
            try await phone.finish(book.transactionId)
            try await phone.finish(book.transactionId)
            _ = try await phone.restore()
            let kinds = try await harness.store.storeServices.events.events(after: 0, limit: 100).map(\.kind)
            #expect(kinds.filter { [.refusal, .finish, .restore].contains($0) } == [.refusal, .finish, .restore])
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func `an interrupted purchase fails until the interruption is resolved, and is charged once`() async throws {
        try await Self.store("\"_billingIssuesEnabled\" : true") { harness in
            let phone = try await harness.signIn()
            let payment = PaymentID(UUID())
            for _ in 0..<2 {
                guard case .refused(0, _) = try await phone.purchase(.book, payment: payment) else {
                    Issue.record("the purchase was not interrupted")
                    return
                }
            }
            #expect(try await harness.call(ControlEndpoints.interruptions, Empty()).pending.map(\.payment) == [payment])
            _ = try await harness.call(ControlEndpoints.resolveInterruption, Empty(), ["payment": payment.rawValue])
            _ = try await harness.call(ControlEndpoints.resolveInterruption, Empty(), ["payment": payment.rawValue])
            #expect(try await phone.unfinished().transactions.map(\.payment) == [payment])
            #expect(try await phone.buy(.book, payment: payment).productId == .book)
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func `a renewal every two seconds is a new transaction of the same purchase`() async throws {
        try await Self.store("\"_timeRate\" : 1005") { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.magazine)
            #expect(first.expiresDate == first.purchaseDate.adding(seconds: 2))
            try await harness.advance(seconds: 2)
            let renewal = try #require(try await phone.unfinishedTransactions().last)
            #expect(renewal.transactionId != first.transactionId)
            #expect(renewal.originalTransactionId == first.transactionId)
            #expect(renewal.transactionReason == "RENEWAL")
            #expect(try await harness.notificationTypes() == ["SUBSCRIBED.INITIAL_BUY", "DID_RENEW"])
        }
    }

    @Test func `a declined renewal is retried for 60 days, and recovers or expires`() async throws {
        for recovers in [true, false] {
            try await Self.store("\"_billingGracePeriodEnabled\" : false") { harness in
                let phone = try await harness.signIn()
                _ = try await phone.buy(.magazine)
                try await harness.setPaymentMethod(isValid: false)
                try await harness.advance(days: 31)
                let retrying = try await Self.subscription(harness)
                #expect(retrying.status == .billingRetry)
                #expect(retrying.renewalInfo.isInBillingRetryPeriod == true)
                if recovers {
                    try await harness.advance(days: 10)
                    try await harness.setPaymentMethod(isValid: true)
                    #expect(try await Self.subscription(harness).status == .active)
                    #expect(try await harness.notificationTypes().suffix(2) == ["DID_FAIL_TO_RENEW", "DID_RENEW.BILLING_RECOVERY"])
                } else {
                    try await harness.advance(days: 60)
                    let ended = try await Self.subscription(harness)
                    #expect(ended.status == .expired)
                    #expect(ended.renewalInfo.expirationIntent == 2)
                    #expect(try await harness.notificationTypes().suffix(2) == ["DID_FAIL_TO_RENEW", "EXPIRED.BILLING_RETRY"])
                }
            }
        }
    }

    @Test func `access continues during the billing grace period`() async throws {
        try await Self.store("\"_billingGracePeriodEnabled\" : true") { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.magazine)
            try await harness.setPaymentMethod(isValid: false)
            try await harness.advance(days: 31)
            let grace = try await Self.subscription(harness)
            #expect(grace.status == .gracePeriod)
            #expect(grace.renewalInfo.gracePeriodExpiresDate == first.expiresDate?.adding(days: 16))
            try await harness.advance(days: 16)
            #expect(try await Self.subscription(harness).status == .billingRetry)
            let notificationTypes = try await harness.notificationTypes()
            #expect(notificationTypes.suffix(2) == ["DID_FAIL_TO_RENEW.GRACE_PERIOD", "GRACE_PERIOD_EXPIRED"])
        }
    }

    @Test(
        arguments: [
            (nil, .expired, 3, ["PRICE_INCREASE.PENDING", "EXPIRED.PRICE_INCREASE"]),
            (.consentToPriceIncrease, .active, nil, ["PRICE_INCREASE.PENDING", "PRICE_INCREASE.ACCEPTED", "DID_RENEW"]),
            (
                .declinePriceIncrease, .expired, 1,
                ["PRICE_INCREASE.PENDING", "DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED", "EXPIRED.VOLUNTARY"]
            ),
        ] as [(SubscriptionRequest.Action?, SubscriptionStatus, Int?, [String])])
    func `a price increase can be unanswered, consented or declined`(
        _ answer: SubscriptionRequest.Action?, _ status: SubscriptionStatus, _ intent: Int?, _ notificationTypes: [String]
    ) async throws {
        try await Self.store { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.magazine)
            try await harness.perform(SubscriptionRequest(.increasePriceWithConsent, price: 4_990), on: first.transactionId)
            #expect(try await Self.subscription(harness).renewalInfo.priceIncreaseStatus == 0)
            if let answer { try await harness.perform(SubscriptionRequest(answer), on: first.transactionId) }
            try await harness.advance(days: 31)
            let subscription = try await Self.subscription(harness)
            #expect(subscription.status == status)
            #expect(subscription.renewalInfo.expirationIntent == intent)
            #expect(try await harness.notificationTypes().dropFirst() == notificationTypes[...])
            #expect(try await harness.charges().map(\.amount.milliunits) == (answer == .consentToPriceIncrease ? [2_990, 4_990] : [2_990]))
        }
    }

    @Test func `a refund revokes a purchase, and a reversal reinstates it`() async throws {
        try await Self.store { harness in
            let phone = try await harness.signIn()
            let book = try await phone.buy(.book)
            try await harness.refund(book.transactionId)
            #expect(try await Self.owned(phone) == [])
            let refunded = try #require(try await phone.unfinishedTransactions().first)
            #expect(refunded.revocationDate != nil)
            #expect(refunded.revocationReason == 0)
            #expect(refunded.revocationType == "REFUND_FULL")
            let reversal = ReverseRefundRequest(transactionID: book.transactionId)
            _ = try await harness.call(ControlEndpoints.reverseRefund, reversal)
            #expect(try await Self.owned(phone) == [.book])
            #expect(try await harness.notificationTypes() == ["ONE_TIME_CHARGE", "REFUND", "REFUND_REVERSED"])
            #expect(try await harness.charges().map(\.amount.milliunits) == [4_990, -4_990, 4_990])
        }
    }

    // MARK: Helpers

    /// Runs `body` with a store whose `.storekit` file has the given settings.
    private static func store(_ settings: String = "", _ body: @Sendable (StoreHarness) async throws -> Void) async throws {
        let storekit = TestCatalog.storekit.replacing("\"settings\" : {}", with: "\"settings\" : { \(settings) }")
        try await StoreHarness.run(storekit: storekit, body)
    }

    private static func subscription(_ harness: StoreHarness) async throws -> SubscriptionDescription {
        let path = ["account": "ada@example.com"]
        return try #require(try await harness.call(ControlEndpoints.subscriptions, Empty(), path).subscriptions.first)
    }

    /// The products of all transactions that are not revoked.
    private static func owned(_ phone: SignedInDevice) async throws -> [ProductID] {
        let reply = try await phone.call(DeviceEndpoints.history, HistoryRequest())
        var owned: [ProductID] = []
        for signed in reply.transactions.map(\.signedTransaction) {
            let payload = try await phone.store.verifier.verify(signed).payload
            if payload.revocationDate == nil { owned.append(payload.productId) }
        }
        return owned
    }
}
