package import Foundation
package import PurchaseModel
package import PurchaseProof
package import StoreProtocol
import Synchronization
import Wire

/// The operations behind StoreKit's API, except those of `SKPaymentQueue`.
///
/// StoreKit 1 and StoreKit 2 share the payment queue and the transaction history.
extension Device {
    /// Fetches product descriptions from the store.
    package func products(_ identifiers: [ProductID]) async throws(RequestFailure) -> ProductsReply {
        do throws(WireClientError) {
            return try await engine.request(launching: false) { (engine) async throws(WireClientError) in
                try await engine.session.products(identifiers)
            }
        } catch {
            throw RequestFailure(error)
        }
    }

    /// Purchases a product for StoreKit 2's `Product.purchase(options:)`, and returns the result.
    ///
    /// The call returns when the store has responded, the user has canceled, or the store can't be reached.
    package func purchase(_ request: PaymentRequest) async -> PurchaseCallResult {
        var request = request
        request.isPurchaseCall = true
        return await withCheckedContinuation { engine.inbox.submit(.call(request, $0)) }
    }

    /// Marks a transaction as finished, and writes the mark to the journal.
    ///
    /// If the journal can't be written, the transaction stays unfinished, and the device delivers it again.
    package func finish(_ transaction: TransactionID) async {
        await engine.request { await $0.queue.finish(transaction) }
    }

    /// Returns the account's transactions that no device has finished: first those in this device's payment queue, then those of other
    /// devices.
    package func unfinished() async -> [SignedTransaction] {
        await engine.request { engine in
            await engine.refreshHistory()
            return engine.queue.unfinished { engine.updates.isAwaited($0) }
        }
    }

    /// Returns a stream of the transactions that no purchase call returns.
    ///
    /// The stream delivers renewals, approved purchases, refunds, and purchases on other devices or with StoreKit 1. The first caller after
    /// a launch also receives every unfinished transaction.
    ///
    /// Each caller has its own stream, which ends with the device.
    package func updates() -> AsyncStream<SignedTransaction> {
        // The buffer is not limited, because no transaction may be dropped: it holds what the account has bought.
        let (stream, continuation) = AsyncStream.makeStream(of: SignedTransaction.self)
        engine.inbox.submit(.listen(continuation))
        return stream
    }

    /// Returns the account's transactions in this app in their latest signed form; transactions that can't be verified come last.
    ///
    /// The call first fetches changes from the store. If the store can't be reached, the call returns the stored history. The result is
    /// empty if no account has signed in.
    package func purchases(_ selection: HistorySelection = .everything) async -> [HistoryReply.Purchase] {
        await engine.request { engine in
            await engine.refreshHistory()
            return engine.history.purchases(selection)
        }
    }

    /// Returns the states of the account's subscriptions, as the store last reported them.
    package func statuses() async -> [HistoryReply.Status] {
        await engine.request { engine in
            await engine.refreshHistory()
            return engine.history.statuses()
        }
    }

    /// Returns a stream of the account's subscription states, which delivers each change from now on.
    package func statusUpdates() -> AsyncStream<HistoryReply.Status> { listening(engine.deviceEvents.statuses) }

    /// Asks the user to sign in if no account is signed in, and fetches the receipt and all changes from the store (`AppStore.sync()`).
    package func synchronize() async throws(PaymentFailure) {
        promptLimiter.reportUnlessUserGesture(.restoreWithoutGesture)
        try await SignInReason.restore.run { () async throws(PaymentFailure) in
            try await engine.request { (engine) async throws(PaymentFailure) in try await engine.synchronize() }
        }
    }

    /// Fetches the latest receipt, and asks the user to sign in if no account is signed in.
    package func refreshReceipt(_ request: ReceiptRequest) async throws(PaymentFailure) {
        try await SignInReason.refresh.run { () async throws(PaymentFailure) in
            try await engine.request(launching: false) { (engine) async throws(PaymentFailure) in
                try await engine.accounts.refreshReceipt(request)
            }
        }
    }

    /// Reports that the app refreshes the receipt, unless the call runs in ``withUserGesture(_:)``.
    package func reportRefreshWithoutGesture() { promptLimiter.reportUnlessUserGesture(.refreshWithoutGesture) }

    /// Returns the account's app transaction.
    ///
    /// - Parameter refreshing: Whether to fetch the latest app transaction, and to ask the user to sign in if no account is signed in.
    package func appTransaction(refreshing: Bool) async throws(PaymentFailure) -> SignedAppTransaction {
        let reason: SignInReason = refreshing ? .refresh : .current
        return try await reason.run { () async throws(PaymentFailure) in
            try await engine.request { (engine) async throws(PaymentFailure) in
                try await engine.appTransactions.appTransaction(refreshing: refreshing)
            }
        }
    }

    /// The account's storefront; nil if no account is signed in.
    package var storefront: PurchaseModel.Storefront? { state.session?.storefront }

    /// Returns a stream of the account's storefront, which delivers each change from now on.
    package func storefrontUpdates() -> AsyncStream<PurchaseModel.Storefront> { listening(engine.deviceEvents.storefronts) }

    /// Returns a stream of promoted in-app purchases, which begins with the purchases that the app has not yet handled.
    package func promotions() -> AsyncStream<PendingDelivery<PromotedPurchase>> { listening(engine.deviceEvents.promotions) }

    /// Returns a stream of the store's messages for the user, which begins with the messages that the app has not yet handled.
    package func messages() -> AsyncStream<PendingDelivery<StoreMessage>> { listening(engine.deviceEvents.messages) }

    /// Hands a promoted in-app purchase over to the app, so that no other listener receives it in this app session.
    ///
    /// - Returns: A closure to call when the app has handled the purchase; until then, the next launch delivers the purchase again.
    package func handOver(_ promotion: PendingDelivery<PromotedPurchase>) -> @Sendable () -> Void {
        handOver(promotion, from: engine.deviceEvents.promotions)
    }

    /// Hands a message of the store over to the app, so that no other listener receives it in this app session.
    ///
    /// - Returns: A closure to call when the app has handled the message; until then, the next launch delivers the message again.
    package func handOver(_ message: PendingDelivery<StoreMessage>) -> @Sendable () -> Void {
        if message.value.reason == .priceIncreaseConsent { priceIncreases.withLock { $0.append(message) } }
        return handOver(message, from: engine.deviceEvents.messages)
    }

    private func handOver<Value>(_ pendingDelivery: PendingDelivery<Value>, from broadcast: Broadcast<PendingDelivery<Value>>)
        -> @Sendable () -> Void
    {
        broadcast.forget { $0.deliveryID == pendingDelivery.deliveryID }
        return { [weak engine] in engine?.inbox.submit(.acknowledge(pendingDelivery.deliveryID)) }
    }

    private func listening<Element>(_ broadcast: Broadcast<Element>) -> AsyncStream<Element> {
        engine.inbox.submit(.launch)
        return broadcast.stream()
    }

    // MARK: - Signed data

    /// Verifies that the store signed data for this app.
    @concurrent
    package func verify<Payload: SignedPayload>(_ signed: Signed<Payload>) async throws(VerificationFailure) -> Verified<Payload> {
        try await session.dataVerifier.verify(signed)
    }

    /// Checks that data with a `deviceVerification` was signed for this device; accepts data without a `deviceVerification`.
    package func checkDevice(_ payload: some SignedPayload) throws(VerificationFailure) {
        let claims = payload.claims
        guard claims.deviceVerification != nil, let verificationID else { return }
        do throws(Refusal) {
            try DeviceVerificationCheck(verificationID).examine(claims)
        } catch { throw .refused(error) }
    }

    /// The identifier from which the `deviceVerification` of signed data is computed; nil if the device's identifier is not a UUID.
    package var verificationID: UUID? { UUID(uuidString: id.rawValue) }

    /// Returns the compact JWS of a transaction in the payment queue, or nil if the queue does not contain the transaction.
    ///
    /// - Parameter identifier: The `transactionIdentifier` of an `SKPaymentTransaction` or of its `original`.
    public func jwsRepresentation(ofTransaction identifier: String) async -> String? {
        await engine.request(launching: false) { $0.queue.signed(TransactionID(identifier))?.compact }
    }

    // MARK: - Hosted content

    /// Returns the path of a product's downloaded content, or nil if the content was not downloaded or was deleted.
    package func contentPath(of product: ProductID) -> String? { downloads.contentPath(of: product) }

    /// Deletes the downloaded content of a product.
    package func deleteContent(of product: ProductID) { downloads.delete(product) }
}
