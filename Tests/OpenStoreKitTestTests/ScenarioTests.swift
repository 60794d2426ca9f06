import Foundation
import OpenStoreKitTest
import StoreKit
import StoreKitTest
import Testing

/// The scenarios that a test session simulates. The tests run concurrently.
@Suite struct ScenarioTests {
    private let session: SKTestSession

    init() throws {
        session = try SessionFile.session()
        session.disableDialogs = true
    }

    private func buy(_ id: String) async throws -> Transaction {
        let product = try #require(try await Product.products(for: [id]).first)
        guard case .success(let result) = try await product.purchase() else { throw NotPurchased() }
        return try result.payloadValue
    }

    private struct NotPurchased: Error {}

    private func entitlements() async -> [String] {
        var ids: [String] = []
        for await result in Transaction.currentEntitlements {
            if case .verified(let transaction) = result { ids.append(transaction.productID) }
        }
        return ids
    }

    private func unfinished() async -> [UInt64] {
        var ids: [UInt64] = []
        for await result in Transaction.unfinished { ids.append(result.unsafePayloadValue.id) }
        return ids
    }

    private func status(_ id: String = SessionFile.monthly) async throws -> Product.SubscriptionInfo.Status? {
        let product = try #require(try await Product.products(for: [id]).first)
        return try await product.subscription?.status.first
    }

    /// The next update that satisfies `isWanted`.
    private func update(_ isWanted: @escaping @Sendable (Transaction) -> Bool = { _ in true }) async -> Transaction? {
        for await result in Transaction.updates {
            if isWanted(result.unsafePayloadValue) { return result.unsafePayloadValue }
        }
        return nil
    }

    @Test func `a purchased non-consumable is an entitlement, and unfinished until it is finished`() async throws {
        let transaction = try await buy(SessionFile.pro)
        #expect(await entitlements() == [SessionFile.pro])
        let unfinished = await unfinished()
        #expect(unfinished == [transaction.id])
        await transaction.finish()
        #expect(await self.unfinished().isEmpty)
        #expect(await entitlements() == [SessionFile.pro])
        #expect(session.allTransactions().map(\.state) == [.purchased])
        #expect(session.allTransactions().first?.identifier == UInt(transaction.id))
    }

    @Test(arguments: [SessionFile.pro, SessionFile.monthly])
    func `the purchase date is the current time, to the millisecond`(id: String) async throws {
        let product = try #require(try await Product.products(for: [id]).first)
        let before = Date()
        guard case .success(.verified(let transaction)) = try await product.purchase() else { throw NotPurchased() }
        // Dates in JSON have a precision of milliseconds.
        #expect(transaction.purchaseDate >= before.addingTimeInterval(-0.001) && transaction.purchaseDate <= Date())
        #expect(transaction.originalPurchaseDate == transaction.purchaseDate)
        #expect(session.allTransactions().first?.purchaseDate == transaction.purchaseDate)
    }

    @Test(arguments: [true, false]) func `an Ask to Buy purchase is pending until a parent decides`(approves: Bool) async throws {
        session.askToBuyEnabled = true
        let product = try #require(try await Product.products(for: [SessionFile.pro]).first)
        guard case .pending = try await product.purchase() else { throw NotPurchased() }
        let waiting = try #require(session.allTransactions().first)
        #expect(waiting.pendingAskToBuyConfirmation && waiting.state == .deferred)
        if approves {
            async let received = update()
            try session.approveAskToBuyTransaction(identifier: waiting.identifier)
            #expect(await received?.productID == SessionFile.pro)
            #expect(await entitlements() == [SessionFile.pro])
        } else {
            try session.declineAskToBuyTransaction(identifier: waiting.identifier)
            await session.waitUntilIdle()
            #expect(await entitlements().isEmpty)
            #expect(session.allTransactions().isEmpty)
        }
        #expect(throws: SKTestError(.noTransactionFound)) {
            try session.approveAskToBuyTransaction(identifier: waiting.identifier)
        }
    }

    @Test func `an interrupted purchase fails, and is delivered when the issue is resolved`() async throws {
        session.interruptedPurchasesEnabled = true
        let product = try #require(try await Product.products(for: [SessionFile.coins]).first)
        await #expect(throws: (any Error).self) { _ = try await product.purchase() }
        let failed = try #require(session.allTransactions().first)
        #expect(failed.hasPurchaseIssue && failed.state == .failed)
        async let received = update()
        try session.resolveIssueForTransaction(identifier: failed.identifier)
        #expect(await received?.productID == SessionFile.coins)
        #expect(session.allTransactions().map(\.hasPurchaseIssue) == [false])
    }

    @Test func `a subscription renews at the session's time rate`() async throws {
        session.timeRate = .oneRenewalEveryTwoSeconds
        let first = try await buy(SessionFile.monthly)
        let renewal = try #require(await update { $0.id != first.id })
        #expect(renewal.originalID == first.id && renewal.reason == .renewal)
        #expect(renewal.purchaseDate == first.expirationDate)
    }

    @Test func `a failed renewal enters billing retry, and renews when the issue is resolved`() async throws {
        session.shouldEnterBillingRetryOnRenewal = true
        let first = try await session.buyProduct(
            identifier: SessionFile.monthly, options: [.purchaseDate(Date(timeIntervalSinceNow: -35 * 86_400))])
        let retrying = try #require(try await status())
        #expect(retrying.state == .inBillingRetryPeriod)
        #expect(try retrying.renewalInfo.payloadValue.isInBillingRetry)
        #expect(await entitlements().isEmpty)
        let failed = try #require(session.allTransactions().last)
        #expect(failed.hasPurchaseIssue)
        try session.resolveIssueForTransaction(identifier: failed.identifier)
        #expect(try await status()?.state == .subscribed)
        #expect(session.allTransactions().count == 2 && session.allTransactions().last?.originalTransactionIdentifier == UInt(first.id))
    }

    @Test func `access continues in the billing grace period`() async throws {
        session.shouldEnterBillingRetryOnRenewal = true
        session.billingGracePeriodIsEnabled = true
        try await session.buyProduct(
            identifier: SessionFile.monthly, options: [.purchaseDate(Date(timeIntervalSinceNow: -35 * 86_400))])
        let current = try #require(try await status())
        #expect(current.state == .inGracePeriod)
        #expect(try current.renewalInfo.payloadValue.gracePeriodExpirationDate != nil)
        #expect(await entitlements() == [SessionFile.monthly])
    }

    @Test func `a forced renewal that fails is a billing issue, which can be resolved`() async throws {
        session.shouldEnterBillingRetryOnRenewal = true
        session.billingGracePeriodIsEnabled = true
        _ = try await buy(SessionFile.monthly)
        try session.forceRenewalOfSubscription(productIdentifier: SessionFile.monthly)
        #expect(try await status()?.state == .inGracePeriod)
        #expect(await entitlements() == [SessionFile.monthly])
        session.billingGracePeriodIsEnabled = false
        try session.forceRenewalOfSubscription(productIdentifier: SessionFile.monthly)
        #expect(try await status()?.state == .inBillingRetryPeriod)
        #expect(await entitlements().isEmpty)
        let issue = try #require(session.allTransactions().first { $0.hasPurchaseIssue })
        session.shouldEnterBillingRetryOnRenewal = false
        try session.resolveIssueForTransaction(identifier: issue.identifier)
        #expect(try await status()?.state == .subscribed)
        #expect(session.allTransactions().allSatisfy { !$0.hasPurchaseIssue })
    }

    /// The number of repetitions of a test that has failed once in a loaded run; `TILLROLL_SOAK` sets another number.
    private static let repetitions = ProcessInfo.processInfo.environment["TILLROLL_SOAK"].flatMap { Int($0) } ?? 1

    @Test(arguments: 0..<repetitions) func `a price increase is pending, consented or declined`(_ repetition: Int) async throws {
        let bought = Int(try await buy(SessionFile.monthly).id)
        try session.requestPriceIncreaseConsentForTransaction(identifier: bought)
        #expect(session.allTransactions().map(\.isPendingPriceIncreaseConsent) == [true])
        #expect(try await status()?.renewalInfo.payloadValue.priceIncreaseStatus == .pending)
        try session.consentToPriceIncreaseForTransaction(identifier: bought)
        #expect(try await status()?.renewalInfo.payloadValue.priceIncreaseStatus == .agreed)
        try session.forceRenewalOfSubscription(productIdentifier: SessionFile.monthly)
        #expect(try await status()?.renewalInfo.payloadValue.priceIncreaseStatus == .noIncreasePending)

        let renewed = try #require(session.allTransactions().last?.identifier)
        try session.requestPriceIncreaseConsentForTransaction(identifier: renewed)
        try session.declinePriceIncreaseForTransaction(identifier: renewed)
        #expect(session.allTransactions().last?.autoRenewingEnabled == false)
        #expect(try await status()?.renewalInfo.payloadValue.willAutoRenew == false)
    }

    @Test func `a refund revokes the entitlement`() async throws {
        let bought = try await buy(SessionFile.pro)
        async let received = update { $0.revocationDate != nil }
        try session.refundTransaction(identifier: UInt(bought.id))
        #expect(await entitlements().isEmpty)
        #expect(await received?.id == bought.id)
        #expect(session.allTransactions().first?.cancelDate != nil)
    }

    @Test func `a free trial can be refunded`() async throws {
        let bought = try await buy(SessionFile.yearly)
        #expect(bought.offer?.type == .introductory)
        try session.refundTransaction(identifier: UInt(bought.id))
        #expect(await entitlements().isEmpty)
    }

    @Test func `a simulated verification error makes transactions unverified`() async throws {
        _ = try await buy(SessionFile.pro)
        try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
        let result = try #require(await Transaction.latest(for: SessionFile.pro))
        guard case .unverified(let transaction, .invalidSignature) = result else {
            Issue.record("The transaction is not unverified.")
            return
        }
        #expect(transaction.productID == SessionFile.pro)
        try await session.setSimulatedError(nil, forAPI: .verification)
        #expect(await entitlements() == [SessionFile.pro])
    }

    @Test func `an expired subscription is no entitlement`() async throws {
        _ = try await buy(SessionFile.monthly)
        #expect(await entitlements() == [SessionFile.monthly])
        try session.expireSubscription(productIdentifier: SessionFile.monthly)
        #expect(await entitlements().isEmpty)
        #expect(try await status()?.state == .expired)
        #expect(throws: SKTestError(.noSubscriptionFound)) { try session.expireSubscription(productIdentifier: SessionFile.yearly) }
        #expect(throws: SKTestError(.invalidProductType)) { try session.expireSubscription(productIdentifier: SessionFile.pro) }
        #expect(throws: SKTestError(.invalidProductIdentifier)) { try session.expireSubscription(productIdentifier: "none") }
    }
}
