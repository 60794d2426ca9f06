package import Foundation
package import PurchaseModel
package import PurchaseProof
package import PurchaseProtocol
import Synchronization
import WireClient

/// What StoreKit is made of besides its payment queue: the same queue and the same history for StoreKit 1 and 2.
extension Device {
    /// Asks the store to describe products.
    package func products(_ identifiers: [ProductID]) async throws(RequestFailure) -> ProductsReply {
        do throws(WireClientError) { return try await session.products(identifiers) } catch { throw RequestFailure(error) }
    }

    /// Buys, as StoreKit 2's purchase call; returns when the user, the store or the network has decided.
    package func purchase(_ request: PaymentRequest) async -> PurchaseConclusion {
        var request = request
        request.isCall = true
        return await withCheckedContinuation { engine.submit(.call(request, $0)) }
    }

    /// Marks a transaction as delivered; that is in the journal when it returns, or the transaction comes back.
    package func finish(_ transaction: TransactionID) async {
        await engine.ready()
        await engine.finish(transaction)
    }

    /// The purchased and restored transactions that were not finished, oldest first.
    package func unfinished() async -> [SignedTransaction] {
        await engine.ready()
        return await engine.unfinished()
    }

    /// Transactions that come while no purchase call waits for them: renewals, approvals, refunds, purchases elsewhere or by
    /// StoreKit 1; and, for the first who asks after a launch, everything unfinished.
    ///
    /// Each caller has a stream of its own, which ends with the device.
    package func updates() -> AsyncStream<SignedTransaction> {
        let (stream, continuation) = AsyncStream.makeStream(of: SignedTransaction.self)
        engine.submit(.listen(continuation))
        return stream
    }

    /// The transactions of the account in this app, oldest first, as the store last signed them.
    ///
    /// Brought up to date when the store can be reached; otherwise what was known last. Empty when nobody has signed in.
    package func purchases(_ selection: HistorySelection = .everything) async -> [PurchasesReply.Purchase] {
        await engine.ready()
        return await engine.purchases(selection)
    }

    /// The states of the account's subscriptions, as the store last told them.
    package func statuses() async -> [PurchasesReply.Status] {
        await engine.ready()
        return await engine.statuses()
    }

    /// The states of subscriptions that change from now on.
    package func statusUpdates() -> AsyncStream<PurchasesReply.Status> { listening(engine.news.statuses) }

    /// Asks the user to sign in unless somebody is, and fetches everything anew (`AppStore.sync()`).
    package func synchronize() async throws(PaymentFailure) {
        attention.isAsked(.restoreWithoutGesture)
        await engine.ready()
        try await SignInReason.restore.asked { () async throws(PaymentFailure) in try await engine.synchronizeOnRequest() }
    }

    /// Fetches the latest receipt on the user's wish.
    package func refreshReceipt(_ request: ReceiptRequest) async throws(PaymentFailure) {
        try await SignInReason.refresh.asked { () async throws(PaymentFailure) in try await engine.refreshReceipt(request) }
    }

    /// Reports that the app refreshes what only a user should ask for, unless a gesture of theirs did.
    package func reportUnaskedRefresh() { attention.isAsked(.refreshWithoutGesture) }

    /// That the account got the app; asks for a sign-in only to refresh it.
    package func appTransaction(refreshing: Bool) async throws(PaymentFailure) -> SignedAppTransaction {
        await engine.ready()
        guard refreshing else { return try await engine.appTransaction(refreshing: false) }
        return try await SignInReason.refresh.asked { () async throws(PaymentFailure) in try await engine.appTransaction(refreshing: true) }
    }

    /// The country's store that the account buys in; nil when that is not known yet.
    package var storefront: PurchaseModel.Storefront? { state.session?.storefront }

    /// The countries' stores that the account changes to from now on.
    package func storefrontUpdates() -> AsyncStream<PurchaseModel.Storefront> { listening(engine.news.storefronts) }

    /// What the user chooses outside the app; what nobody has taken yet comes first.
    package func promotions() -> AsyncStream<PendingDelivery<PromotedPurchase>> { listening(engine.news.promotions) }

    /// What the store wants the user to be told; what nobody has taken yet comes first.
    package func messages() -> AsyncStream<PendingDelivery<StoreMessage>> { listening(engine.news.messages) }

    /// Hands over to the app what the user chose outside of it: no later listener of this launch is told of it.
    ///
    /// - Returns: What is to be called when the app has dealt with it; until then the next launch would tell it again.
    package func handOver(_ promotion: PendingDelivery<PromotedPurchase>) -> @Sendable () -> Void {
        handOver(promotion, from: engine.news.promotions)
    }

    /// Hands a message over to the app: no later listener of this launch is told of it.
    ///
    /// - Returns: What is to be called when the app has dealt with it; until then the next launch would tell it again.
    package func handOver(_ message: PendingDelivery<StoreMessage>) -> @Sendable () -> Void {
        if message.value.reason == .priceIncreaseConsent { priceIncreases.withLock { $0.append(message) } }
        return handOver(message, from: engine.news.messages)
    }

    private func handOver<Value>(_ pendingDeliveries: PendingDelivery<Value>, from news: Broadcast<PendingDelivery<Value>>)
        -> @Sendable () -> Void
    {
        news.forget { $0.deliveryID == pendingDeliveries.deliveryID }
        return { [weak engine] in engine?.submit(.told(pendingDeliveries.deliveryID)) }
    }

    private func listening<Element>(_ broadcast: Broadcast<Element>) -> AsyncStream<Element> {
        engine.submit(.launch)
        return broadcast.stream()
    }

    // MARK: - What the store signed

    /// Verifies what the store signed.
    @concurrent
    package func verify<Payload: SignedPayload>(_ signed: Signed<Payload>) async throws(VerificationFailure) -> Verified<Payload> {
        try await session.dataVerifier.verify(signed)
    }

    /// Checks that a copy which says for which device it was made was made for this one.
    package func checkDevice(_ payload: some SignedPayload) throws(VerificationFailure) {
        let claims = payload.claims
        guard claims.deviceVerification != nil, let verificationID else { return }
        do throws(Refusal) {
            try DeviceVerificationCheck(verificationID).examine(claims)
        } catch { throw .refused(error) }
    }

    /// The number that goes into the device verification of signed data.
    package var verificationID: UUID? { UUID(uuidString: id.rawValue) }

    /// The transaction with this identifier as the store signed it, a compact JWS, while it is in the payment queue; nil for others.
    ///
    /// The signed original of an `SKPaymentTransaction`, and of its `original`, under their `transactionIdentifier`.
    public func jwsRepresentation(ofTransaction identifier: String) async -> String? {
        await engine.ready(launching: false)
        return await engine.signed(TransactionID(identifier))?.compact
    }

    // MARK: - Hosted content

    /// Where the content of a product lies that was fetched and not deleted; nil when there is none.
    package func contentPath(of product: ProductID) -> String? { downloads.place(of: product) }

    /// Deletes the content of a product.
    package func deleteContent(of product: ProductID) { downloads.delete(product) }
}
