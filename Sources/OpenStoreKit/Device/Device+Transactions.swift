import PurchaseModel
import PurchaseProof

/// What StoreKit 2 is made of: the same queue and the same history that StoreKit 1 shows.
extension Device {
    /// Buys, as StoreKit 2's purchase call; returns when the user, the store or the network has decided.
    func purchase(_ request: PaymentRequest) async -> PurchaseConclusion {
        var request = request
        request.isCall = true
        return await withCheckedContinuation { engine.submit(.call(request, $0)) }
    }

    /// Marks a transaction as delivered; that is in the journal when it returns, or the transaction comes back.
    func finish(_ transaction: TransactionID) async {
        await engine.ready()
        await engine.finish(transaction)
    }

    /// The purchased and restored transactions that were not finished, oldest first.
    func unfinished() async -> [SignedTransaction] {
        await engine.ready()
        return await engine.unfinished()
    }

    /// Transactions that come while no purchase call waits for them: renewals, approvals, refunds, purchases elsewhere or by
    /// StoreKit 1; and, for the first who asks after a launch, everything unfinished.
    ///
    /// Each caller has a stream of its own, which ends with the device.
    func updates() -> AsyncStream<SignedTransaction> {
        let (stream, continuation) = AsyncStream.makeStream(of: SignedTransaction.self)
        engine.submit(.listen(continuation))
        return stream
    }

    /// The transactions of the account in this app, oldest first, as the store last signed them.
    ///
    /// Brought up to date when the store can be reached; otherwise what was known last. Empty when nobody has signed in.
    func purchases(_ selection: HistorySelection = .everything) async -> [PurchasesReply.Purchase] {
        await engine.ready()
        return await engine.purchases(selection)
    }

    /// The states of the account's subscriptions, as the store last told them.
    func statuses() async -> [PurchasesReply.Status] {
        await engine.ready()
        return await engine.statuses()
    }

    /// The states of subscriptions that change from now on.
    func statusUpdates() -> AsyncStream<PurchasesReply.Status> { listening(engine.news.statuses) }

    /// Asks the user to sign in unless somebody is, and fetches everything anew (`AppStore.sync()`).
    func synchronise() async throws(PaymentFailure) {
        await engine.ready()
        try await engine.synchroniseOnWish()
    }

    /// That the account got the app; asks for a sign-in only to refresh it.
    func appTransaction(refreshing: Bool) async throws(PaymentFailure) -> SignedAppTransaction {
        await engine.ready()
        return try await engine.appTransaction(refreshing: refreshing)
    }

    /// The country's store that the account buys in; nil when that is not known yet.
    var storefront: PurchaseModel.Storefront? { state.session?.storefront }

    /// The countries' stores that the account changes to from now on.
    func storefrontUpdates() -> AsyncStream<PurchaseModel.Storefront> { listening(engine.news.storefronts) }

    /// What the user chooses outside the app; what nobody has taken yet comes first.
    func promotions() -> AsyncStream<Untold<PromotedPurchase>> { listening(engine.news.promotions) }

    /// What the store wants the user to be told; what nobody has taken yet comes first.
    func messages() -> AsyncStream<Untold<StoreMessage>> { listening(engine.news.messages) }

    /// Hands something over to the app: no later listener of this launch is told of it.
    ///
    /// - Returns: What is to be called when the app has dealt with it; until then the next launch would tell it again.
    func handOver<Value>(_ untold: Untold<Value>, from news: Broadcast<Untold<Value>>) -> @Sendable () -> Void {
        news.forget { $0.matter == untold.matter }
        return { [weak engine] in engine?.submit(.told(untold.matter)) }
    }

    private func listening<Element>(_ broadcast: Broadcast<Element>) -> AsyncStream<Element> {
        engine.submit(.launch)
        return broadcast.stream()
    }
}
