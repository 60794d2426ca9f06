import Foundation
import PurchaseModel
import PurchaseProof
import Testing

@testable import OpenStoreKit
@testable import StoreKit

/// The transactions that each of StoreKit 2's sequences contains.
@Suite struct StoreKit2HistoryTests {
    /// A transaction of a history.
    struct Row: Sendable {
        var id: UInt64
        var type: PurchaseModel.ProductType
        var product = "a"
        var day: Int64 = 1
        var isFinished = false
        var isRevoked = false
        var isUpgraded = false
        var original: UInt64?

        var signed: SignedTransaction { SignedTransaction("h.\(id).s") }

        var payload: TransactionPayload {
            var payload = TransactionPayload(
                transactionId: TransactionID("\(id)"),
                originalTransactionId: TransactionID("\(original ?? id)"),
                bundleId: "com.example.app",
                productId: ProductID(product),
                purchaseDate: Timestamp(milliseconds: 0).adding(days: day),
                originalPurchaseDate: Timestamp(milliseconds: 0),
                quantity: 1,
                type: type.rawValue,
                signedDate: Timestamp(milliseconds: 0),
                environment: "Sandbox"
            )
            payload.isUpgraded = isUpgraded ? true : nil
            payload.subscriptionGroupIdentifier = type == .autoRenewable ? "group" : nil
            if isRevoked { payload.revocationDate = Timestamp(milliseconds: 0).adding(days: day + 1) }
            return payload
        }

        func transaction(isVerified: Bool = true) throws -> VerificationResult<Transaction> {
            let value = try #require(Transaction(payload, signed: signed, origin: Origin(nil)))
            return isVerified ? .verified(value) : .unverified(value, .invalidSignature)
        }
    }

    private func history(_ rows: [Row], includesFinishedConsumables: Bool = false) throws -> TransactionHistory {
        TransactionHistory(
            entries: try rows.map { HistoryEntry(result: try $0.transaction(), isFinished: $0.isFinished) },
            includesFinishedConsumables: includesFinishedConsumables
        )
    }

    private func status(_ state: Product.SubscriptionInfo.RenewalState, _ row: Row) throws -> Product.SubscriptionInfo.Status {
        let payload = RenewalInfoPayload(
            originalTransactionId: TransactionID("\(row.original ?? row.id)"),
            productId: ProductID(row.product),
            autoRenewStatus: 1,
            environment: "Sandbox",
            signedDate: Timestamp(milliseconds: 0)
        )
        let info = try #require(
            Product.SubscriptionInfo.RenewalInfo(payload, signed: SignedRenewalInfo("h.\(row.id).r"), origin: Origin(nil))
        )
        return Product.SubscriptionInfo.Status(state: state, transaction: try row.transaction(), renewalInfo: .verified(info))
    }

    @Test(arguments: [
        (Row(id: 1, type: .consumable), true, true),
        (Row(id: 1, type: .consumable, isFinished: true), false, true),
        (Row(id: 1, type: .consumable, isFinished: true, isRevoked: true), true, true),
        (Row(id: 1, type: .nonConsumable, isFinished: true), true, true),
        (Row(id: 1, type: .nonConsumable, isFinished: true, isRevoked: true), true, true),
        (Row(id: 1, type: .nonRenewing, isFinished: true), true, true),
        (Row(id: 1, type: .autoRenewable, isFinished: true), true, true),
        (Row(id: 1, type: .autoRenewable, isFinished: true, isUpgraded: true), true, true),
    ])
    func `a finished, unrefunded consumable is in the history only if the app includes it`(
        _ row: Row, _ isShown: Bool, _ isShownIfIncluded: Bool
    ) throws {
        #expect(try history([row]).all.count == (isShown ? 1 : 0))
        #expect(try history([row]).latest(for: "a")?.transaction.id == (isShown ? 1 : nil))
        #expect(try history([row], includesFinishedConsumables: true).all.count == (isShownIfIncluded ? 1 : 0))
    }

    @Test func `the latest transaction has the latest date, and on equal dates the highest identifier`() throws {
        let rows = [
            Row(id: 3, type: .nonConsumable, day: 5, isRevoked: true),
            Row(id: 1, type: .nonConsumable, day: 4),
            Row(id: 2, type: .nonConsumable, product: "b", day: 6),
            Row(id: 9, type: .nonConsumable, product: "b", day: 6),
        ]
        let history = try history(rows)
        #expect(history.latest(for: "a")?.transaction.id == 3)
        #expect(history.latest(for: "b")?.transaction.id == 9)
        #expect(history.latest(for: "c") == nil)
        #expect(history.all(for: "b").map(\.transaction.id) == [2, 9])
    }

    @Test(
        arguments: [
            ("a consumable", [Row(id: 1, type: .consumable)], []),
            ("a non-consumable, finished", [Row(id: 1, type: .nonConsumable, isFinished: true)], [1]),
            ("a non-consumable, refunded", [Row(id: 1, type: .nonConsumable, isRevoked: true)], []),
            (
                "a non-consumable, refunded and then purchased again",
                [Row(id: 1, type: .nonConsumable, isRevoked: true), Row(id: 2, type: .nonConsumable, day: 2)], [2]
            ),
            (
                "a non-consumable, purchased again and then refunded",
                [Row(id: 1, type: .nonConsumable), Row(id: 2, type: .nonConsumable, day: 2, isRevoked: true)], [1]
            ),
            (
                "two non-renewing subscriptions of one product",
                [Row(id: 1, type: .nonRenewing, isFinished: true), Row(id: 2, type: .nonRenewing, day: 2)], [1, 2]
            ),
            ("a subscription without a status", [Row(id: 1, type: .autoRenewable)], []),
            (
                "in the order of purchase dates",
                [Row(id: 1, type: .nonConsumable, day: 9), Row(id: 2, type: .nonConsumable, product: "b", day: 2)], [2, 1]
            ),
        ] as [(String, [Row], [UInt64])])
    func `current entitlements are the latest unrevoked transactions and every non-renewing subscription`(
        _ name: String, _ rows: [Row], _ ids: [UInt64]
    ) throws {
        #expect(try history(rows).currentEntitlements([]).map(\.unsafePayloadValue.id) == ids)
    }

    @Test(arguments: [
        (Product.SubscriptionInfo.RenewalState.subscribed, true), (.inGracePeriod, true), (.inBillingRetryPeriod, false), (.expired, false),
        (.revoked, false), (.init(rawValue: 99), false),
    ])
    func `a subscription is an entitlement while subscribed or in the grace period`(
        _ state: Product.SubscriptionInfo.RenewalState, _ entitles: Bool
    ) throws {
        let row = Row(id: 7, type: .autoRenewable, day: 3, original: 5)
        let older = Row(id: 5, type: .autoRenewable, day: 1)
        let found = try history([older, row]).currentEntitlements([status(state, row)])
        #expect(found.map(\.unsafePayloadValue.id) == (entitles ? [7] : []))
    }

    @Test(
        arguments: [
            // Days from the signed date to the expiration and to the grace period's end; billing retry; revoked; the expected state.
            (1, nil, false, false, .subscribed), (-1, nil, false, false, .expired), (-1, nil, true, false, .inBillingRetryPeriod),
            (-1, 2, true, false, .inGracePeriod), (-3, -1, true, false, .inBillingRetryPeriod), (1, nil, false, true, .revoked),
            (-1, 2, true, true, .revoked), (nil, nil, false, false, .expired),
        ] as [(Int64?, Int64?, Bool, Bool, Product.SubscriptionInfo.RenewalState)])
    func `a subscription's state follows from its signed transaction and renewal info`(
        _ end: Int64?, _ grace: Int64?, _ isRetrying: Bool, _ isRevoked: Bool, _ state: Product.SubscriptionInfo.RenewalState
    ) throws {
        let now = Timestamp(milliseconds: 1_700_000_000_000)
        var period = Row(id: 7, type: .autoRenewable, isRevoked: isRevoked).payload
        period.expiresDate = end.map { now.adding(days: $0) }
        var renewal = RenewalInfoPayload(
            originalTransactionId: "7", productId: "a", autoRenewStatus: 1, environment: "Sandbox", signedDate: now)
        renewal.gracePeriodExpiresDate = grace.map { now.adding(days: $0) }
        renewal.isInBillingRetryPeriod = isRetrying
        let transaction = try #require(Transaction(period, signed: SignedTransaction("h.7.s"), origin: Origin(nil)))
        let info = try #require(
            Product.SubscriptionInfo.RenewalInfo(renewal, signed: SignedRenewalInfo("h.7.r"), origin: Origin(nil)))
        #expect(Product.SubscriptionInfo.RenewalState(transaction, info) == state)
    }

    @Test func `a refunded or upgraded transaction is no entitlement, even with the status subscribed`() throws {
        for row in [
            Row(id: 7, type: .autoRenewable, isRevoked: true), Row(id: 7, type: .autoRenewable, isUpgraded: true),
        ] {
            #expect(try history([row]).currentEntitlements([status(.subscribed, row)]).isEmpty)
        }
    }

    @Test func `a purchased and a shared subscription to one product are one entitlement`() throws {
        let own = Row(id: 7, type: .autoRenewable, day: 3)
        let shared = Row(id: 8, type: .autoRenewable, day: 4)
        let other = Row(id: 9, type: .autoRenewable, product: "b", day: 5)
        let found = try history([]).currentEntitlements([status(.subscribed, own), status(.subscribed, shared), status(.subscribed, other)])
        #expect(found.map(\.unsafePayloadValue.id) == [8, 9])
    }

    @Test func `an account that used an introductory offer of a group is not eligible for another`() throws {
        func used(_ group: String, offer: Int?, ownership: String = "PURCHASED") throws -> Transaction {
            var payload = TransactionPayload(
                transactionId: "1", originalTransactionId: "1", bundleId: "b", productId: "p", purchaseDate: Timestamp(milliseconds: 0),
                originalPurchaseDate: Timestamp(milliseconds: 0), quantity: 1, type: "Auto-Renewable Subscription",
                signedDate: Timestamp(milliseconds: 0), environment: "Sandbox"
            )
            payload.subscriptionGroupIdentifier = SubscriptionGroupID(group)
            payload.offerType = offer
            payload.inAppOwnershipType = ownership
            return try #require(Transaction(payload, signed: SignedTransaction("h.p.s"), origin: Origin(nil)))
        }
        #expect(IntroductoryOfferRule.isEligible(for: "g", []))
        #expect(try IntroductoryOfferRule.isEligible(for: "g", [used("g", offer: nil), used("g", offer: 2), used("h", offer: 1)]))
        #expect(try IntroductoryOfferRule.isEligible(for: "g", [used("g", offer: 1, ownership: "FAMILY_SHARED")]))
        #expect(try !IntroductoryOfferRule.isEligible(for: "g", [used("g", offer: nil), used("g", offer: 1)]))
    }
}
