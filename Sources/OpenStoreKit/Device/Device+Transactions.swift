package import Foundation
package import PurchaseModel
package import PurchaseProof
package import PurchaseProtocol
import Synchronization
import WireClient

/// The parts of StoreKit other than the payment queue.
///
/// StoreKit 1 and 2 share the payment queue and the transaction history.
extension Device {
    /// Fetches product descriptions from the store.
    package func products(_ identifiers: [ProductID]) async throws(RequestFailure) -> ProductsReply {
        do throws(WireClientError) { return try await session.products(identifiers) } catch { throw RequestFailure(error) }
    }

    /// Purchases a product as StoreKit 2's purchase call does; returns when the user, the store or the network has decided.
    package func purchase(_ request: PaymentRequest) async -> PurchaseCallResult {
        var request = request
        request.isPurchaseCall = true
        return await withCheckedContinuation { engine.submit(.call(request, $0)) }
    }

    /// Marks a transaction as delivered; the journal holds the mark when the call returns, or the transaction is delivered again.
    package func finish(_ transaction: TransactionID) async {
        await engine.waitUntilReady()
        await engine.finish(transaction)
    }

    /// The purchased and restored transactions that were not finished, oldest first.
    package func unfinished() async -> [SignedTransaction] {
        await engine.waitUntilReady()
        return await engine.unfinished()
    }

    /// A stream of transactions for which no purchase call waits.
    ///
    /// They are renewals, approved purchases, refunds, and purchases on other devices or by StoreKit 1. The first caller after a launch
    /// also receives every unfinished transaction.
    ///
    /// Each caller has its own stream, which ends with the device.
    package func updates() -> AsyncStream<SignedTransaction> {
        let (stream, continuation) = AsyncStream.makeStream(of: SignedTransaction.self)
        engine.submit(.listen(continuation))
        return stream
    }

    /// The transactions of the account in this app in their latest signed form; entries that can't be verified come last.
    ///
    /// The history is updated when the store can be reached; otherwise the stored history is returned. The result is empty when no
    /// account has signed in.
    package func purchases(_ selection: HistorySelection = .everything) async -> [HistoryReply.Purchase] {
        await engine.waitUntilReady()
        return await engine.purchases(selection)
    }

    /// The states of the account's subscriptions, as the store last reported them.
    package func statuses() async -> [HistoryReply.Status] {
        await engine.waitUntilReady()
        return await engine.statuses()
    }

    /// A stream of the subscription states that change from now on.
    package func statusUpdates() -> AsyncStream<HistoryReply.Status> { listening(engine.deviceEvents.statuses) }

    /// Asks the user to sign in unless an account is signed in, and fetches the whole history again (`AppStore.sync()`).
    package func synchronize() async throws(PaymentFailure) {
        promptLimiter.reportUnlessUserGesture(.restoreWithoutGesture)
        await engine.waitUntilReady()
        try await SignInReason.restore.run { () async throws(PaymentFailure) in try await engine.synchronizeOnRequest() }
    }

    /// Fetches the latest receipt at the user's request.
    package func refreshReceipt(_ request: ReceiptRequest) async throws(PaymentFailure) {
        try await SignInReason.refresh.run { () async throws(PaymentFailure) in try await engine.refreshReceipt(request) }
    }

    /// Reports a refresh by the app that only a user should request, unless a user gesture requested it.
    package func reportRefreshWithoutGesture() { promptLimiter.reportUnlessUserGesture(.refreshWithoutGesture) }

    /// The app transaction of the account; only a refresh asks for a sign-in.
    package func appTransaction(refreshing: Bool) async throws(PaymentFailure) -> SignedAppTransaction {
        await engine.waitUntilReady()
        guard refreshing else { return try await engine.appTransaction(refreshing: false) }
        return try await SignInReason.refresh.run { () async throws(PaymentFailure) in try await engine.appTransaction(refreshing: true) }
    }

    /// The account's storefront; nil when it is not known yet.
    package var storefront: PurchaseModel.Storefront? { state.session?.storefront }

    /// A stream of the storefronts to which the account changes from now on.
    package func storefrontUpdates() -> AsyncStream<PurchaseModel.Storefront> { listening(engine.deviceEvents.storefronts) }

    /// A stream of promoted purchases that the user begins outside the app; pending ones come first.
    package func promotions() -> AsyncStream<PendingDelivery<PromotedPurchase>> { listening(engine.deviceEvents.promotions) }

    /// A stream of the store's messages for the user; pending ones come first.
    package func messages() -> AsyncStream<PendingDelivery<StoreMessage>> { listening(engine.deviceEvents.messages) }

    /// Hands a promoted purchase over to the app: no later listener of this app session receives it.
    ///
    /// - Returns: A closure to call when the app has handled the purchase; until then the next launch delivers the purchase again.
    package func handOver(_ promotion: PendingDelivery<PromotedPurchase>) -> @Sendable () -> Void {
        handOver(promotion, from: engine.deviceEvents.promotions)
    }

    /// Hands a message over to the app: no later listener of this app session receives it.
    ///
    /// - Returns: A closure to call when the app has handled the message; until then the next launch delivers the message again.
    package func handOver(_ message: PendingDelivery<StoreMessage>) -> @Sendable () -> Void {
        if message.value.reason == .priceIncreaseConsent { priceIncreases.withLock { $0.append(message) } }
        return handOver(message, from: engine.deviceEvents.messages)
    }

    private func handOver<Value>(_ pendingDelivery: PendingDelivery<Value>, from broadcast: Broadcast<PendingDelivery<Value>>)
        -> @Sendable () -> Void
    {
        broadcast.forget { $0.deliveryID == pendingDelivery.deliveryID }
        return { [weak engine] in engine?.submit(.acknowledge(pendingDelivery.deliveryID)) }
    }

    private func listening<Element>(_ broadcast: Broadcast<Element>) -> AsyncStream<Element> {
        engine.submit(.launch)
        return broadcast.stream()
    }

    // MARK: - Signed data

    /// Verifies signed data.
    @concurrent
    package func verify<Payload: SignedPayload>(_ signed: Signed<Payload>) async throws(VerificationFailure) -> Verified<Payload> {
        try await session.dataVerifier.verify(signed)
    }

    /// Checks that signed data with a device verification was signed for this device.
    package func checkDevice(_ payload: some SignedPayload) throws(VerificationFailure) {
        let claims = payload.claims
        guard claims.deviceVerification != nil, let verificationID else { return }
        do throws(Refusal) {
            try DeviceVerificationCheck(verificationID).examine(claims)
        } catch { throw .refused(error) }
    }

    /// The identifier for the device verification of signed data.
    package var verificationID: UUID? { UUID(uuidString: id.rawValue) }

    /// The transaction with this identifier as a compact JWS, while it is in the payment queue; nil for others.
    ///
    /// The JWS is the signed original of an `SKPaymentTransaction`, and of its `original`, under their `transactionIdentifier`.
    public func jwsRepresentation(ofTransaction identifier: String) async -> String? {
        await engine.waitUntilReady(launching: false)
        return await engine.signed(TransactionID(identifier))?.compact
    }

    // MARK: - Hosted content

    /// The path of a product's downloaded content that was not deleted; nil when there is none.
    package func contentPath(of product: ProductID) -> String? { downloads.contentPath(of: product) }

    /// Deletes the content of a product.
    package func deleteContent(of product: ProductID) { downloads.delete(product) }
}
