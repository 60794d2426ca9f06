import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

/// Tests of subscriptions that move into a bundle, renew in it and leave it.
@Suite struct BundleTests {
    private static let bundle: ProductID = "com.example.everything"

    private static func bought(_ harness: StoreHarness, _ product: ProductID = "solo.monthly") async throws -> TransactionPayload {
        let reply = try await harness.call(ControlEndpoints.buy, BuyRequest(account: .test, productID: product))
        guard case .purchased(let signed, _) = reply else { throw PurchaseRefusal.productUnavailable }
        return try await harness.verifier.verify(signed).payload
    }

    /// Returns the newest version of each of the account's transactions, oldest first.
    private static func transactions(_ harness: StoreHarness) async throws -> [TransactionPayload] {
        let reply = try await harness.call(ControlEndpoints.transactions, Empty(), ["account": AccountID.test.rawValue])
        return try await harness.payloads(reply.signedTransactions)
    }

    /// What follows from a request about a bundle, after the next renewal date.
    struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var requests: [SubscriptionRequest] = []
        /// The notifications after the purchase.
        let notifications: [String]
        /// Whether the newest transaction states the bundle.
        var isInBundle = true
        var transactions = 3
        var expirationIntent: Int?
    }

    static let endings: [Ending] = [
        Ending(testDescription: "a bundle renews", notifications: ["DID_CHANGE_RENEWAL_PREF.UPGRADE", "DID_RENEW"]),
        Ending(
            testDescription: "a subscription that leaves renews alone", requests: [.leaveBundle()],
            notifications: ["DID_CHANGE_RENEWAL_PREF.UPGRADE", "DID_CHANGE_RENEWAL_PREF.DOWNGRADE", "DID_RENEW"], isInBundle: false),
        Ending(
            testDescription: "a subscription that leaves can expire", requests: [.leaveBundle(expires: true)],
            notifications: ["DID_CHANGE_RENEWAL_PREF.UPGRADE", "DID_CHANGE_RENEWAL_PREF.DOWNGRADE", "EXPIRED"], transactions: 2,
            expirationIntent: 6),
        Ending(
            testDescription: "a subscription can stay after all", requests: [.leaveBundle(), SubscriptionRequest(.stayInBundle)],
            notifications: [
                "DID_CHANGE_RENEWAL_PREF.UPGRADE", "DID_CHANGE_RENEWAL_PREF.DOWNGRADE", "DID_CHANGE_RENEWAL_PREF", "DID_RENEW",
            ]),
        Ending(
            testDescription: "a canceled subscription expires for the customer's reason",
            requests: [SubscriptionRequest(.disableAutoRenew)],
            notifications: ["DID_CHANGE_RENEWAL_PREF.UPGRADE", "DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED", "EXPIRED.VOLUNTARY"],
            transactions: 2, expirationIntent: 1),
    ]

    @Test(arguments: endings) func `a subscription in a bundle renews, leaves and expires`(_ ending: Ending) async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness)
            try await harness.perform(.joinBundle(Self.bundle, group: "77"), on: bought.transactionId)
            for request in ending.requests { try await harness.perform(request, on: bought.transactionId) }
            try await harness.advance(days: 32)
            let notifications = try await harness.notifications()
            let names = notifications.dropFirst().map {
                [$0.notification.payload.notificationType, $0.notification.payload.subtype].compactMap { $0 }.joined(separator: ".")
            }
            #expect(names == ending.notifications)
            let transactions = try await Self.transactions(harness)
            #expect(transactions.count == ending.transactions)
            #expect((transactions.last?.bundleProductId == Self.bundle) == ending.isInBundle)
            let renewal = try #require(notifications.last?.renewalInfo?.payload)
            #expect(renewal.expirationIntent == ending.expirationIntent)
            #expect((renewal.bundleProductId == Self.bundle) == (ending.isInBundle && ending.expirationIntent == nil))
        }
    }

    @Test func `the replaced period is revoked without a refund notification, and the bundle's transactions state its identifiers`()
        async throws
    {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness)
            let joined = try await harness.perform(.joinBundle(Self.bundle, group: "77"), on: bought.transactionId)
            try await harness.advance(days: 32)
            let (single, first, second) = try #require(try await Self.transactions(harness).triple)
            #expect(single.transactionId == bought.transactionId && single.isRevoked)
            #expect(single.revocationReason == 2 && single.revocationType == nil && single.bundleProductId == nil)
            let original = try #require(joined.renewalInfo.bundleOriginalTransactionId)
            #expect(joined.renewalInfo.bundleSubscriptionGroupIdentifier == "77" && joined.renewalInfo.isPendingUnbundle == nil)
            for payload in [first, second] {
                #expect(payload.originalTransactionId == bought.transactionId && !payload.isRevoked)
                #expect(payload.bundleProductId == Self.bundle && payload.bundleSubscriptionGroupIdentifier == "77")
                #expect(payload.bundleOriginalTransactionId == original)
            }
            #expect(first.bundleTransactionId == original && second.bundleTransactionId != original)
            #expect(first.transactionReason == "PURCHASE" && second.transactionReason == "RENEWAL")
            // The unused part of the revoked period is refunded: at once, so nearly all of its price.
            let refunded = try await harness.charges().filter { $0.amount.milliunits < 0 }
            #expect(refunded.count == 1)
        }
    }

    @Test func `a pending departure is stated in the renewal info`() async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness)
            try await harness.perform(.joinBundle(Self.bundle), on: bought.transactionId)
            let leaving = try await harness.perform(.leaveBundle(), on: bought.transactionId).renewalInfo
            #expect(leaving.isPendingUnbundle == true && leaving.bundleProductId == nil && leaving.autoRenewStatus == 1)
            let expiring = try await harness.perform(.leaveBundle(expires: true), on: bought.transactionId).renewalInfo
            #expect(expiring.isPendingUnbundle == true && expiring.autoRenewStatus == 0)
            let staying = try await harness.perform(SubscriptionRequest(.stayInBundle), on: bought.transactionId).renewalInfo
            #expect(staying.isPendingUnbundle == nil && staying.bundleProductId == Self.bundle)
        }
    }

    /// A request that the store refuses, for the product.
    struct Refusal: Sendable {
        let request: SubscriptionRequest
        var product: ProductID = "solo.monthly"
        var joinsFirst = false
        let code: String
    }

    static let refusals: [Refusal] = [
        Refusal(request: .leaveBundle(), code: "subscription.no-bundle"),
        Refusal(request: SubscriptionRequest(.stayInBundle), code: "subscription.no-departure"),
        Refusal(request: SubscriptionRequest(.stayInBundle), joinsFirst: true, code: "subscription.no-departure"),
        Refusal(request: .joinBundle("com.example.other", group: ""), code: "request.invalid-value"),
        Refusal(request: .joinBundle("com.example\nother"), code: "identifier.malformed"),
        Refusal(request: .joinBundle("com.example.other"), joinsFirst: true, code: "subscription.not-bundled"),
        Refusal(request: .joinBundle("com.example.other"), product: "team.monthly", code: "subscription.not-bundled"),
        Refusal(request: SubscriptionRequest(.joinBundle), code: "request.invalid-value"),
    ]

    @Test(arguments: refusals) func `a subscription joins one bundle, and leaves the bundle that it has`(_ refusal: Refusal) async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness, refusal.product)
            if refusal.joinsFirst { try await harness.perform(.joinBundle(Self.bundle), on: bought.transactionId) }
            let error = await #expect(throws: Refused.self) { try await harness.perform(refusal.request, on: bought.transactionId) }
            #expect(error?.code == refusal.code)
        }
    }

    @Test func `a receipt states the replaced period as an upgraded one`() async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness)
            try await harness.perform(.joinBundle(Self.bundle), on: bought.transactionId)
            let single = try #require(try await Self.transactions(harness).first)
            let latest = VerifyReceiptPurchase(single, upgradedAt: nil, inReceipt: false)
            #expect(latest.isUpgraded && latest.cancellationDate != nil && latest.cancellationReason == "0")
            #expect(VerifyReceiptPurchase(single, upgradedAt: nil, inReceipt: true).cancellationDate == nil)
            #expect(single.transactionReceiptMembers()["cancellation_reason"] == "0")
        }
    }

    @Test func `the move into a bundle is no refund, so that it cannot be reversed`() async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness)
            try await harness.perform(.joinBundle(Self.bundle), on: bought.transactionId)
            let error = await #expect(throws: Refused.self) {
                _ = try await harness.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transactionID: bought.transactionId))
            }
            #expect(error?.code == "refund.not-refunded")
        }
    }
}

extension Array {
    fileprivate var triple: (Element, Element, Element)? { count == 3 ? (self[0], self[1], self[2]) : nil }
}
