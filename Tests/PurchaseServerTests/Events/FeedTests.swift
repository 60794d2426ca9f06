import Foundation
import HTTPTypes
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// The events of the feed: one for each change of the answer about a customer.
///
/// No closure is an argument of `#expect`: the compiler then executes this closure in place of a later closure of the same function.
@Suite struct FeedTests {
    static let end = Timestamp.testStart.adding(days: 30)
    static let month = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: end)

    static func renewal(
        signed: Timestamp = .testStart, change: (inout RenewalInfoPayload) -> Void = { _ in }
    ) -> RenewalInfoPayload {
        var renewal = RenewalInfoPayload.sample(original: "3000", product: .magazine, date: signed)
        renewal.autoRenewProductId = .magazine
        change(&renewal)
        return renewal
    }

    @Test func `a purchase emits its record, its credits and its entitlement, and repetitions emit nothing`() async throws {
        try await Shop.open { shop async throws in
            let first = try await shop.types { try await shop.record(.bookSale) }
            #expect(first == ["purchase.recorded", "entitlement.activated"])
            let second = try await shop.types { try await shop.record(.creditSale) }
            #expect(second == ["purchase.recorded", "ledger.credited"])
            let repeated = try await shop.types {
                for _ in 1...2 {
                    try await shop.record(.bookSale)
                    try await shop.record(.creditSale)
                    _ = try await shop.notify(.about(.bookSale, type: "ONE_TIME_CHARGE", uuid: "u1"))
                }
            }
            #expect(repeated == [])
            let event = try #require(try await shop.events().first { $0.type == .entitlementActivated })
            #expect(event.customer == Shop.customer && event.app == .test && event.environment == "Sandbox" && event.cause == .submission)
            #expect(event.before == nil && event.originals.transactions.map(\.transactionID) == [TransactionPayload.bookSale.transactionId])
            #expect(event.happenedAt == TransactionPayload.bookSale.purchaseDate && event.recordedAt == shop.clock.now)
            guard case .entitlement(let state)? = event.after else { throw NoState() }
            #expect(state == FeedState.Entitlement(try await shop.entitlement(to: .book)))
        }
    }

    @Test func `a refund ends the entitlement and debits the credits, and its reversal undoes both`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            try await shop.record(.creditSale)
            let refunded = try await shop.types {
                for _ in 1...2 {
                    _ = try await shop.notify(.about(.bookSale.refunded(), type: "REFUND", uuid: "r1"))
                    _ = try await shop.notify(.about(.creditSale.refunded(), type: "REFUND", uuid: "r2"))
                }
            }
            #expect(refunded == ["purchase.refunded", "entitlement.ended", "purchase.refunded", "ledger.debited"])
            let ended = try #require(try await shop.events().last { $0.type == .entitlementEnded })
            #expect(ended.reason == "revoked" && ended.cause == .notification && ended.originals.notification == "r1")
            let reversed = TransactionPayload.bookSale.with { $0.signedDate = $0.purchaseDate.adding(seconds: 200) }
            let types = try await shop.types { _ = try await shop.notify(.about(reversed, type: "REFUND_REVERSED", uuid: "r3")) }
            #expect(types == ["purchase.refund_reversed", "entitlement.activated"])
            // The older notification arrives again under another UUID.
            let late = try await shop.types { _ = try await shop.notify(.about(.bookSale.refunded(), type: "REFUND", uuid: "r4")) }
            #expect(late == [])
        }
    }

    @Test func `time ends a period once, at its date, also after the server was down`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(Self.month)
            let first = try await shop.types { try await shop.advanceFeed() }
            #expect(first == [])
            shop.clock.set(Self.end.adding(days: 3))
            let types = try await shop.types {
                async let first: Void = shop.advanceFeed()
                async let second: Void = shop.advanceFeed()
                _ = try await (first, second)
            }
            #expect(types == ["entitlement.ended"])
            let ended = try #require(try await shop.events().last)
            #expect(ended.happenedAt == Self.end && ended.recordedAt == shop.clock.now && ended.cause == .time && ended.reason == "expired")
            #expect(ended.originals.transactions.map(\.transactionID) == ["3000"])
            #expect(try await shop.folded()[Shop.customer] == [FeedState.Entitlement(try await shop.entitlement(to: .magazine))])
        }
    }

    @Test func `a billing issue, the grace period and the recovery have events`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(Self.month)
            shop.clock.set(Self.end.adding(seconds: -1))
            let failed = Self.month.with { $0.signedDate = Self.end }
            let grace = Self.renewal(signed: Self.end) {
                $0.isInBillingRetryPeriod = true
                $0.gracePeriodExpiresDate = Self.end.adding(days: 16)
            }
            let types = try await shop.types {
                _ = try await shop.notify(.about(failed, grace, type: "DID_FAIL_TO_RENEW", uuid: "f1"))
            }
            #expect(
                types == ["subscription.billing_issue", "subscription.grace_period_started", "entitlement.changed"])
            shop.clock.set(Self.end.adding(days: 16))
            let first = try await shop.types { try await shop.advanceFeed() }
            #expect(first == ["entitlement.ended"])
            #expect(try await shop.events().last?.reason == "billing-issue")
            let next = Self.month.with {
                $0.transactionId = "3001"
                ($0.purchaseDate, $0.signedDate) = (Self.end.adding(days: 17), Self.end.adding(days: 17))
                $0.expiresDate = Self.end.adding(days: 47)
            }
            shop.clock.set(next.purchaseDate)
            let recovered = try await shop.types {
                _ = try await shop.notify(.about(next, Self.renewal(signed: next.signedDate), type: "DID_RENEW", uuid: "f2"))
            }
            #expect(recovered == ["subscription.recovered", "entitlement.activated"])
        }
    }

    @Test func `a renewal, a change of auto-renew and a price increase have events`() async throws {
        try await Shop.open { shop async throws in
            _ = try await shop.notify(.about(Self.month, Self.renewal(), type: "SUBSCRIBED", uuid: "s1"))
            func notify(_ days: Int64, _ type: String, _ change: @Sendable (inout RenewalInfoPayload) -> Void) async throws -> [String] {
                let date = Timestamp.testStart.adding(days: days)
                shop.clock.set(date)
                return try await shop.types {
                    let transaction = Self.month.with { $0.signedDate = date }
                    _ = try await shop.notify(.about(transaction, Self.renewal(signed: date, change: change), type: type, uuid: "\(days)"))
                }
            }
            let first = try await notify(1, "DID_CHANGE_RENEWAL_STATUS") { $0.autoRenewStatus = 0 }
            #expect(first == ["subscription.auto_renew_changed", "entitlement.changed"])
            let second = try await notify(2, "DID_CHANGE_RENEWAL_STATUS") { $0.autoRenewStatus = 1 }
            #expect(second == ["subscription.auto_renew_changed", "entitlement.changed"])
            let third = try await notify(3, "DID_CHANGE_RENEWAL_PREF") { $0.autoRenewProductId = "com.example.monkeyshop.weekly" }
            #expect(third == ["subscription.product_change_scheduled", "entitlement.changed"])
            let fourth = try await notify(4, "PRICE_INCREASE") {
                $0.autoRenewProductId = "com.example.monkeyshop.weekly"
                $0.priceIncreaseStatus = 0
            }
            #expect(fourth == ["subscription.price_increase"])
            let renewed = Self.month.with {
                $0.transactionId = "3001"
                ($0.purchaseDate, $0.signedDate) = (Self.end, Self.end)
                $0.expiresDate = Self.end.adding(days: 30)
            }
            shop.clock.set(Self.end.adding(seconds: -1))
            let types = try await shop.types {
                _ = try await shop.notify(.about(renewed, Self.renewal(signed: Self.end), type: "DID_RENEW", uuid: "s9"))
            }
            #expect(types.contains("subscription.renewed") && types.contains("entitlement.changed"))
            #expect(!types.contains("entitlement.ended"))
        }
    }

    @Test func `grants, their end by time and their revocation have events`() async throws {
        try await Shop.open { shop async throws in
            let path = ["entitlement": "beta"]
            func grant(until: Timestamp?) async throws {
                _ = try await shop.call(ServerEndpoints.grantEntitlement, GrantEntitlementRequest(until: until), path)
            }
            let first = try await shop.types { try await grant(until: Self.end) }
            #expect(first == ["grant.created", "entitlement.activated"])
            shop.clock.set(Self.end.adding(seconds: 1))
            let second = try await shop.types { try await shop.advanceFeed() }
            #expect(second == ["grant.ended", "entitlement.ended"])
            let third = try await shop.types { try await shop.advanceFeed() }
            #expect(third == [])
            #expect(try await shop.events().suffix(2).map(\.happenedAt) == [Self.end, Self.end])
            shop.clock.advance(seconds: 1)
            let fourth = try await shop.types { try await grant(until: nil) }
            #expect(fourth == ["grant.created", "entitlement.activated"])
            shop.clock.advance(seconds: 1)
            let revoked = try await shop.types { _ = try await shop.call(ServerEndpoints.revokeGrants, Empty(), path) }
            #expect(revoked == ["grant.ended", "entitlement.ended"])
        }
    }

    @Test func `debits, debt and unknown notifications have events`() async throws {
        try await Shop.open(change: Shop.Change { $0.refundPolicy = .debt }) { shop async throws in
            try await shop.record(.creditSale)
            var (types, answers): ([[String]], [String]) = ([], [])
            func note(_ answer: Answer) async throws {
                answers.append("\(answer.status) \(String(decoding: answer.body, as: UTF8.self)) \(try await shop.balance())")
                types.append(try await shop.events().dropFirst(types.reduce(0) { $0 + $1.count } + 2).map(\.type.rawValue))
            }
            try await note(shop.debit(5, "a"))
            try await note(shop.notify(.about(.creditSale.refunded(), type: "REFUND", uuid: "d1")))
            try await note(shop.notify(.about(.creditSale, type: "UNHEARD_OF", uuid: "d2")))
            #expect(
                types == [
                    ["ledger.debited"], ["purchase.refunded", "ledger.debited", "ledger.in_debt"], ["notification.not_understood"],
                ], "\(answers)")
        }
    }

    @Test func `a merge moves entitlements to the customer with the alias`() async throws {
        try await Shop.open { shop async throws in
            let owner: CustomerID = "0b0b0b0b-2222-4222-8333-444444444444"
            try await shop.record(.bookSale)
            _ = try await shop.call(ServerEndpoints.addAlias, AddAliasRequest(alias: "jane"), by: .backend(owner.rawValue))
            let merged = try await shop.types { _ = try await shop.call(ServerEndpoints.addAlias, AddAliasRequest(alias: "jane")) }
            #expect(merged.contains("customer.merged") && merged.contains("purchase.transferred"))
            let folded = try await shop.folded()
            #expect(folded[Shop.customer] ?? [] == [] && folded[owner]?.map(\.name) == [EntitlementName(ProductID.book.rawValue)])
            #expect(try await shop.events().last { $0.customer == owner }?.aliases == ["jane"])
        }
    }

    @Test func `the events of an upgraded database begin with the first change, and time counts for every customer`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(Self.month)
            try await shop.record(.bookSale)
            // An earlier version of the server has no feed.
            try await shop.removeFeed()
            try await shop.feed.comparison.compareAfterChange()
            #expect(try await shop.events() == [])
            shop.clock.set(Self.end)
            try await shop.advanceFeed()
            #expect(try await shop.events().map(\.type) == [.entitlementEnded])
            let refunded = try await shop.types { _ = try await shop.notify(.about(.bookSale.refunded(), type: "REFUND")) }
            #expect(refunded == ["purchase.refunded", "entitlement.ended"])
        }
    }

    @Test func `the first change of a customer of an upgraded database states the state before`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            try await shop.removeFeed()
            let types = try await shop.types { _ = try await shop.notify(.about(.bookSale.refunded(), type: "REFUND")) }
            #expect(types == ["purchase.refunded", "entitlement.ended"])
        }
    }

    @Test func `a changed catalog emits the changed entitlements, marked`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            try await shop.feed.comparison.compareAfterChange()
            let admin: Shop.Sender = .headers([.authorization: "Bearer \(shop.keys.admin)"])
            let product = ServerProduct(id: .book, entitlements: ["library"])
            _ = try await shop.call(ServerEndpoints.putProducts, ServerProductsReply(products: [product]), by: admin)
            for expected in [["entitlement.ended", "entitlement.activated"], []] {
                let first = try await shop.types { try await shop.feed.comparison.compareAfterChange() }
                #expect(first == expected)
            }
            #expect(try await shop.events().last?.cause == .configuration)
        }
    }
}

/// The error that an event has no state.
struct NoState: Error {}
