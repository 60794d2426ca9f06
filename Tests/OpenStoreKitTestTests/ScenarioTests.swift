import Foundation
import OpenStoreKitTest
import StoreKit
import StoreKitTest
import Testing

/// What a test session is for, row by row, with all tests side by side.
@Suite struct ScenarioTests {
    private let session: SKTestSession

    init() throws {
        session = try SessionFile.session()
        session.disableDialogs = true
    }

    private func buy(_ id: String) async throws -> Transaction {
        let product = try #require(try await Product.products(for: [id]).first)
        guard case .success(let result) = try await product.purchase() else { throw NotBought() }
        return try result.payloadValue
    }

    private struct NotBought: Error {}

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

    /// The next transaction that comes by itself.
    private func update(_ isWanted: @escaping @Sendable (Transaction) -> Bool = { _ in true }) async -> Transaction? {
        for await result in Transaction.updates {
            if isWanted(result.unsafePayloadValue) { return result.unsafePayloadValue }
        }
        return nil
    }

    @Test func `a non-consumable that was bought is there, and unfinished until it is finished`() async throws {
        let transaction = try await buy(SessionFile.pro)
        #expect(await entitlements() == [SessionFile.pro])
        #expect(await unfinished() == [transaction.id])
        await transaction.finish()
        #expect(await unfinished().isEmpty)
        #expect(await entitlements() == [SessionFile.pro])
        #expect(session.allTransactions().map(\.state) == [.purchased])
        #expect(session.allTransactions().first?.identifier == UInt(transaction.id))
    }

    @Test(arguments: [SessionFile.pro, SessionFile.monthly])
    func `what is bought after a moment is dated after it, to the millisecond`(id: String) async throws {
        let product = try #require(try await Product.products(for: [id]).first)
        let before = Date()
        guard case .success(.verified(let transaction)) = try await product.purchase() else { throw NotBought() }
        // JSON has no more than milliseconds.
        #expect(transaction.purchaseDate >= before.addingTimeInterval(-0.001) && transaction.purchaseDate <= Date())
        #expect(transaction.originalPurchaseDate == transaction.purchaseDate)
        #expect(session.allTransactions().first?.purchaseDate == transaction.purchaseDate)
    }

    @Test(arguments: [true, false]) func `a child's purchase waits for a parent`(agrees: Bool) async throws {
        session.askToBuyEnabled = true
        let product = try #require(try await Product.products(for: [SessionFile.pro]).first)
        guard case .pending = try await product.purchase() else { throw NotBought() }
        let waiting = try #require(session.allTransactions().first)
        #expect(waiting.pendingAskToBuyConfirmation && waiting.state == .deferred)
        if agrees {
            async let news = update()
            try session.approveAskToBuyTransaction(identifier: waiting.identifier)
            #expect(await news?.productID == SessionFile.pro)
            #expect(await entitlements() == [SessionFile.pro])
        } else {
            try session.declineAskToBuyTransaction(identifier: waiting.identifier)
            await session.settle()
            #expect(await entitlements().isEmpty)
            #expect(session.allTransactions().isEmpty)
        }
        #expect(throws: SKTestError(.noTransactionFound)) {
            try session.approveAskToBuyTransaction(identifier: waiting.identifier)
        }
    }

    @Test func `an interrupted purchase fails, and succeeds when the issue is resolved`() async throws {
        session.interruptedPurchasesEnabled = true
        let product = try #require(try await Product.products(for: [SessionFile.coins]).first)
        await #expect(throws: (any Error).self) { _ = try await product.purchase() }
        let failed = try #require(session.allTransactions().first)
        #expect(failed.hasPurchaseIssue && failed.state == .failed)
        async let news = update()
        try session.resolveIssueForTransaction(identifier: failed.identifier)
        #expect(await news?.productID == SessionFile.coins)
        #expect(session.allTransactions().map(\.hasPurchaseIssue) == [false])
    }

    @Test func `a subscription renews by itself as fast as is wanted`() async throws {
        session.timeRate = .oneRenewalEveryTwoSeconds
        let first = try await buy(SessionFile.monthly)
        let renewal = try #require(await update { $0.id != first.id })
        #expect(renewal.originalID == first.id && renewal.reason == .renewal)
        #expect(renewal.purchaseDate == first.expirationDate)
    }

    @Test func `a renewal that can't be paid is tried again, and paid when the issue is resolved`() async throws {
        session.shouldEnterBillingRetryOnRenewal = true
        let first = try await session.buyProduct(
            identifier: SessionFile.monthly, options: [.purchaseDate(Date(timeIntervalSinceNow: -35 * 86_400))])
        let retrying = try #require(try await status())
        #expect(retrying.state == .inBillingRetryPeriod)
        #expect(try retrying.renewalInfo.payloadValue.isInBillingRetry)
        #expect(await entitlements().isEmpty)
        let owing = try #require(session.allTransactions().last)
        #expect(owing.hasPurchaseIssue)
        try session.resolveIssueForTransaction(identifier: owing.identifier)
        #expect(try await status()?.state == .subscribed)
        #expect(session.allTransactions().count == 2 && session.allTransactions().last?.originalTransactionIdentifier == UInt(first.id))
    }

    @Test func `with grace, access goes on while the store tries to be paid`() async throws {
        session.shouldEnterBillingRetryOnRenewal = true
        session.billingGracePeriodIsEnabled = true
        try await session.buyProduct(
            identifier: SessionFile.monthly, options: [.purchaseDate(Date(timeIntervalSinceNow: -35 * 86_400))])
        let owing = try #require(try await status())
        #expect(owing.state == .inGracePeriod)
        #expect(try owing.renewalInfo.payloadValue.gracePeriodExpirationDate != nil)
        #expect(await entitlements() == [SessionFile.monthly])
    }

    @Test func `a forced renewal that can't be paid is an issue at once, and can be resolved`() async throws {
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

    @Test func `a customer agrees to a higher price, declines it, or does not answer`() async throws {
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

    @Test func `what is refunded is taken back`() async throws {
        let bought = try await buy(SessionFile.pro)
        async let news = update { $0.revocationDate != nil }
        try session.refundTransaction(identifier: UInt(bought.id))
        #expect(await entitlements().isEmpty)
        #expect(await news?.id == bought.id)
        #expect(session.allTransactions().first?.cancelDate != nil)
    }

    @Test func `a free trial can be refunded`() async throws {
        let bought = try await buy(SessionFile.yearly)
        #expect(bought.offer?.type == .introductory)
        try session.refundTransaction(identifier: UInt(bought.id))
        #expect(await entitlements().isEmpty)
    }

    @Test func `a simulated error of verification is seen wherever something is read`() async throws {
        _ = try await buy(SessionFile.pro)
        try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
        let result = try #require(await Transaction.latest(for: SessionFile.pro))
        guard case .unverified(let transaction, .invalidSignature) = result else {
            Issue.record("it was verified all the same")
            return
        }
        #expect(transaction.productID == SessionFile.pro)
        try await session.setSimulatedError(nil, forAPI: .verification)
        #expect(await entitlements() == [SessionFile.pro])
    }

    @Test func `a subscription that was ended is expired`() async throws {
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
