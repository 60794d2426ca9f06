import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

/// The scenarios of StoreKit testing, set up as a `.storekit` file sets them up.
struct ScenarioTests {
    @Test func `what is bought is there, and comes back until it is finished`() async throws {
        try await Self.store { harness in
            let phone = try await harness.phone()
            let book = try await phone.buy(.book)
            #expect(try await Self.owned(phone) == [.book])
            #expect(try await phone.unfinishedTransactions().map(\.transactionId) == [book.transactionId])
            try await phone.finish(book.transactionId)
            #expect(try await phone.unfinished().transactions.isEmpty)
            #expect(try await Self.owned(phone) == [.book])
        }
    }

    @Test(arguments: [true, false])
    func `asking to buy waits for a parent, who approves or declines`(_ approves: Bool) async throws {
        try await Self.store("\"_askToBuyEnabled\" : true") { harness in
            let phone = try await harness.phone()
            let payment = PaymentID(UUID())
            #expect(try await phone.purchase(.book, payment: payment) == .deferred)
            #expect(try await harness.charges().isEmpty)
            let path = ["payment": payment.rawValue]
            _ = try await harness.call(ControlEndpoints.decide, DecisionRequest(approve: approves), path)
            #expect(try await phone.unfinishedTransactions().map(\.productId) == (approves ? [.book] : []))
            #expect(try await phone.unfinished().declined == (approves ? [] : [payment]))
            #expect(try await harness.charges().count == (approves ? 1 : 0))
        }
    }

    @Test func `refusals, finished purchases and restores are news, each once`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            try await harness.setCard(works: false)
            _ = try await phone.purchase(.book)
            try await harness.setCard(works: true)
            let book = try await phone.buy(.book)
            try await phone.finish(book.transactionId)
            try await phone.finish(book.transactionId)
            _ = try await phone.restore()
            let news = try await harness.store.ledger.events(after: 0, limit: 100).map(\.kind)
            #expect(news.filter { [.refusal, .finish, .restore].contains($0) } == [.refusal, .finish, .restore])
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func `an interrupted purchase fails first, and arrives when that is resolved, charged once`() async throws {
        try await Self.store("\"_billingIssuesEnabled\" : true") { harness in
            let phone = try await harness.phone()
            let payment = PaymentID(UUID())
            for _ in 0..<2 {
                guard case .refused(0, _) = try await phone.purchase(.book, payment: payment) else {
                    Issue.record("it was not interrupted")
                    return
                }
            }
            #expect(try await harness.call(ControlEndpoints.interruptions, Empty()).pending.map(\.payment) == [payment])
            _ = try await harness.call(ControlEndpoints.resolve, Empty(), ["payment": payment.rawValue])
            _ = try await harness.call(ControlEndpoints.resolve, Empty(), ["payment": payment.rawValue])
            #expect(try await phone.unfinished().transactions.map(\.payment) == [payment])
            #expect(try await phone.buy(.book, payment: payment).productId == .book)
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func `a renewal every two seconds is a new transaction of the same purchase`() async throws {
        try await Self.store("\"_timeRate\" : 1005") { harness in
            let phone = try await harness.phone()
            let first = try await phone.buy(.magazine)
            #expect(first.expiresDate == first.purchaseDate.adding(seconds: 2))
            _ = try await harness.call(ControlEndpoints.advance, AdvanceRequest(seconds: 2))
            let renewal = try #require(try await phone.unfinishedTransactions().last)
            #expect(renewal.transactionId != first.transactionId)
            #expect(renewal.originalTransactionId == first.transactionId)
            #expect(renewal.transactionReason == "RENEWAL")
            #expect(try await harness.notices() == ["SUBSCRIBED.INITIAL_BUY", "DID_RENEW"])
        }
    }

    @Test func `a renewal that cannot be charged is tried for 60 days, and recovers or ends`() async throws {
        for recovers in [true, false] {
            try await Self.store("\"_billingGracePeriodEnabled\" : false") { harness in
                let phone = try await harness.phone()
                _ = try await phone.buy(.magazine)
                try await harness.setCard(works: false)
                try await harness.advance(days: 31)
                let retrying = try await Self.subscription(harness)
                #expect(retrying.status == 3)
                #expect(retrying.renewalInfo.isInBillingRetryPeriod == true)
                if recovers {
                    try await harness.advance(days: 10)
                    try await harness.setCard(works: true)
                    #expect(try await Self.subscription(harness).status == 1)
                    #expect(try await harness.notices().suffix(2) == ["DID_FAIL_TO_RENEW", "DID_RENEW.BILLING_RECOVERY"])
                } else {
                    try await harness.advance(days: 60)
                    let ended = try await Self.subscription(harness)
                    #expect(ended.status == 2)
                    #expect(ended.renewalInfo.expirationIntent == 2)
                    #expect(try await harness.notices().suffix(2) == ["DID_FAIL_TO_RENEW", "EXPIRED.BILLING_RETRY"])
                }
            }
        }
    }

    @Test func `with grace, access goes on for a while`() async throws {
        try await Self.store("\"_billingGracePeriodEnabled\" : true") { harness in
            let phone = try await harness.phone()
            let first = try await phone.buy(.magazine)
            try await harness.setCard(works: false)
            try await harness.advance(days: 31)
            let grace = try await Self.subscription(harness)
            #expect(grace.status == 4)
            #expect(grace.renewalInfo.gracePeriodExpiresDate == first.expiresDate?.adding(days: 16))
            try await harness.advance(days: 16)
            #expect(try await Self.subscription(harness).status == 3)
            let notices = try await harness.notices()
            #expect(notices.suffix(2) == ["DID_FAIL_TO_RENEW.GRACE_PERIOD", "GRACE_PERIOD_EXPIRED"])
        }
    }

    @Test(
        arguments: [
            (nil, 2, 3, ["PRICE_INCREASE.PENDING", "EXPIRED.PRICE_INCREASE"]),
            (.agree, 1, nil, ["PRICE_INCREASE.PENDING", "PRICE_INCREASE.ACCEPTED", "DID_RENEW"]),
            (
                .disagree, 2, 1,
                ["PRICE_INCREASE.PENDING", "DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED", "EXPIRED.VOLUNTARY"]
            ),
        ] as [(SubscriptionRequest.Action?, Int, Int?, [String])])
    func `a higher price is not answered, agreed to, or declined`(
        _ answer: SubscriptionRequest.Action?, _ status: Int, _ intent: Int?, _ notices: [String]
    ) async throws {
        try await Self.store { harness in
            let phone = try await harness.phone()
            let first = try await phone.buy(.magazine)
            try await harness.act(SubscriptionRequest(.raisePrice, price: 4_990), on: first.transactionId)
            #expect(try await Self.subscription(harness).renewalInfo.priceIncreaseStatus == 0)
            if let answer { try await harness.act(SubscriptionRequest(answer), on: first.transactionId) }
            try await harness.advance(days: 31)
            let subscription = try await Self.subscription(harness)
            #expect(subscription.status == status)
            #expect(subscription.renewalInfo.expirationIntent == intent)
            #expect(try await harness.notices().dropFirst() == notices[...])
            #expect(try await harness.charges().map(\.amount.milliunits) == (answer == .agree ? [2_990, 4_990] : [2_990]))
        }
    }

    @Test func `a refund takes away what was bought, and reversed it is there again`() async throws {
        try await Self.store { harness in
            let phone = try await harness.phone()
            let book = try await phone.buy(.book)
            try await harness.refund(book.transactionId)
            #expect(try await Self.owned(phone) == [])
            let refunded = try #require(try await phone.unfinishedTransactions().first)
            #expect(refunded.revocationDate != nil)
            #expect(refunded.revocationReason == 0)
            #expect(refunded.revocationType == "REFUND_FULL")
            let reversal = ReverseRefundRequest(transaction: book.transactionId)
            _ = try await harness.call(ControlEndpoints.reverseRefund, reversal)
            #expect(try await Self.owned(phone) == [.book])
            #expect(try await harness.notices() == ["ONE_TIME_CHARGE", "REFUND", "REFUND_REVERSED"])
            #expect(try await harness.charges().map(\.amount.milliunits) == [4_990, -4_990, 4_990])
        }
    }

    // MARK: Help

    /// A store whose `.storekit` file has these settings.
    private static func store(_ settings: String = "", _ body: @Sendable (StoreHarness) async throws -> Void) async throws {
        let storekit = TestCatalog.storekit.replacing("\"settings\" : {}", with: "\"settings\" : { \(settings) }")
        try await StoreHarness.run(storekit: storekit, body)
    }

    private static func subscription(_ harness: StoreHarness) async throws -> SubscriptionDescription {
        let path = ["account": "ada@example.com"]
        return try #require(try await harness.call(ControlEndpoints.subscriptions, Empty(), path).subscriptions.first)
    }

    /// What is owned for good and was not taken back.
    private static func owned(_ phone: Phone) async throws -> [ProductID] {
        let reply = try await phone.harness.call(DeviceEndpoints.purchases, PurchasesRequest(), token: phone.token)
        var owned: [ProductID] = []
        for signed in reply.transactions.map(\.transaction) {
            let payload = try await phone.harness.verifier.verify(signed).payload
            if payload.revocationDate == nil { owned.append(payload.productId) }
        }
        return owned
    }
}
