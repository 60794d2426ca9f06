import Foundation
import OpenStoreKit
import OpenStoreKitTest
import StoreKit
import StoreKitTest
import Testing

/// Rules of purchases, introductory offers and refunds.
@Suite struct PurchaseRuleTests {
    private let session: SKTestSession

    init() throws {
        // The yearly subscription, which has a free week for new subscribers, has the higher service level.
        let monthly = #""groupNumber" : 1, "internalID" : "3""#
        session = try SessionFile.session(SessionFile.storekit.replacing(monthly, with: #""groupNumber" : 2, "internalID" : "3""#))
    }

    private func buy(_ id: String) async throws -> Transaction {
        let product = try #require(try await Product.products(for: [id]).first)
        guard case .success(let result) = try await product.purchase() else { throw SKTestError(.invalidAction) }
        return try result.payloadValue
    }

    private func nextUpdate() async -> Transaction? {
        for await result in Transaction.updates { return result.unsafePayloadValue }
        return nil
    }

    @Test func `an Ask to Buy purchase outside the app leaves a deferred transaction`() async throws {
        session.askToBuyEnabled = true
        try session.buyProduct(productIdentifier: SessionFile.pro)
        let waiting = try #require(session.allTransactions().first)
        #expect(waiting.state == .deferred && waiting.pendingAskToBuyConfirmation && waiting.productIdentifier == SessionFile.pro)
        try session.approveAskToBuyTransaction(identifier: waiting.identifier)
        #expect(await nextUpdate()?.productID == SessionFile.pro)
        #expect(throws: SKTestError(.invalidProductIdentifier)) { try session.buyProduct(productIdentifier: "none") }
    }

    @Test func `an interrupted purchase outside the app leaves a failed transaction`() async throws {
        session.interruptedPurchasesEnabled = true
        try session.buyProduct(productIdentifier: SessionFile.pro)
        let failed = try #require(session.allTransactions().first)
        #expect(failed.state == .failed && failed.hasPurchaseIssue)
        try session.resolveIssueForTransaction(identifier: failed.identifier)
        #expect(await nextUpdate()?.productID == SessionFile.pro)
        #expect(throws: SKTestError(.invalidProductIdentifier)) { try session.buyProduct(productIdentifier: "none") }
    }

    @Test func `subscribers and former users of an introductory offer are not eligible for it`() async throws {
        let plans = try await Product.products(for: [SessionFile.monthly, SessionFile.yearly]).compactMap(\.subscription)
        func eligibilities() async -> Set<Bool> {
            var all: Set<Bool> = [await Product.SubscriptionInfo.isEligibleForIntroOffer(for: plans[0].subscriptionGroupID)]
            for plan in plans { all.insert(await plan.isEligibleForIntroOffer) }
            return all
        }
        #expect(await eligibilities() == [true])

        let monthly = try await buy(SessionFile.monthly)
        #expect(await eligibilities() == [false])
        let upgrade = try await buy(SessionFile.yearly)
        #expect(upgrade.originalID == monthly.id && upgrade.offer == nil)
        try session.expireSubscription(productIdentifier: SessionFile.yearly)
        // No introductory offer has been used so far.
        #expect(await eligibilities() == [true])

        #expect(try await buy(SessionFile.yearly).offer?.type == .introductory)
        #expect(await eligibilities() == [false])
        try session.expireSubscription(productIdentifier: SessionFile.yearly)
        #expect(await eligibilities() == [false])
        #expect(try await buy(SessionFile.yearly).offer == nil)
    }

    @Test func `a refund request for a refunded transaction is a duplicate request`() async throws {
        let pro = try await buy(SessionFile.pro)
        #expect(try await session.device.beginRefundRequest(for: pro.id) == .success)
        await #expect(throws: Device.RefundRequestError.duplicateRequest) { try await session.device.beginRefundRequest(for: pro.id) }
        let coins = try await buy(SessionFile.coins)
        try session.refundTransaction(identifier: UInt(coins.id))
        await #expect(throws: Device.RefundRequestError.duplicateRequest) { try await session.device.beginRefundRequest(for: coins.id) }
    }

    @Test func `a subscription group without a localized name shows its reference name`() async throws {
        let product = try #require(try await Product.products(for: [SessionFile.monthly]).first)
        #expect(product.subscription?.groupDisplayName == "Club")
    }
}
