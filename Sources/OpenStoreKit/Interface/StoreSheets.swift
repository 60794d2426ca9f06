import Logging
import PurchaseModel
import StoreProtocol
import Wire

/// The requests of the store's sheets on behalf of the user; resulting purchases are delivered as transaction updates.
final class StoreSheets {
    private let queue: PaymentQueue
    private let session: StoreSession
    private let signIn: SignIn
    private let accounts: AccountCalls
    private let history: HistorySync
    private let updates: TransactionUpdates
    private let interface: any StoreInterface
    private let runner: WorkRunner
    private let logger: Logger
    private var journal: Journal { queue.journal }

    init(
        queue: PaymentQueue, session: StoreSession, signIn: SignIn, accounts: AccountCalls, history: HistorySync,
        updates: TransactionUpdates,
        interface: any StoreInterface, runner: WorkRunner, logger: Logger
    ) {
        self.queue = queue
        self.session = session
        self.signIn = signIn
        self.accounts = accounts
        self.history = history
        self.updates = updates
        self.interface = interface
        self.runner = runner
        self.logger = logger
    }

    /// Redeems an offer code in the store.
    ///
    /// - Returns: The transaction; nil if the purchase is pending until a parent approves it.
    /// - Throws: ``PaymentFailure`` if the code was not redeemed, after the sheet has shown the reason to the user.
    func redeemOfferCode(_ code: String) async throws(PaymentFailure) -> SignedTransaction? {
        do throws(PaymentFailure) {
            return try await redeem(code)
        } catch {
            if error != PaymentFailure(.paymentCancelled) { await interface.showRedemptionFailure(of: code, because: error.message) }
            throw error
        }
    }

    private func redeem(_ code: String) async throws(PaymentFailure) -> SignedTransaction? {
        let reply = try await requireOnce("redeem \(code)", DeviceEndpoints.redeem) { RedeemRequest(payment: $0, code: code) }
        switch reply {
        case .purchased(let signed, _):
            await deliverIfUnverified(signed)
            return signed
        case .deferred, .askToBuyConfirmationRequired: return nil
        case .refused(let code, let message): throw PaymentFailure(domain: PaymentFailure.storeKitDomain, code: code, message: message)
        }
    }

    /// Delivers a transaction to the app if it can't be verified.
    ///
    /// A transaction that can be verified is delivered with the store's unfinished transactions.
    private func deliverIfUnverified(_ signed: SignedTransaction) async {
        do {
            _ = try await session.verify(signed)
        } catch {
            logger.warning("the transaction of an offer code can't be verified", metadata: ["reason": "\(error)"])
            // A transaction that has entered the queue meanwhile was verified.
            if let id = signed.unverifiedPayload?.transactionId, queue.machine.contains(id) { return }
            updates.announce(signed)
        }
    }

    /// Asks the user to consent to a price increase, and sends the answer to the store.
    ///
    /// - Returns: Whether the user has answered.
    /// - Throws: ``PaymentFailure`` if the store did not accept the answer; the price increase then still needs consent.
    @discardableResult
    func askForPriceConsent(_ message: StoreMessage) async throws(PaymentFailure) -> Bool {
        let reply = try? await session.ask(DeviceEndpoints.products, ProductsRequest(productIDs: [message.productID]))
        let product = reply?.products.first { $0.id == message.productID }
        guard let hasConsented = await interface.consent(to: PriceConsentSheet(message.productID, product)) else { return false }
        let action: ManageSubscriptionRequest.Action = hasConsented ? .consentToPriceIncrease : .declinePriceIncrease
        try await manage(ManageSubscriptionRequest(transactionID: message.originalTransactionID, action))
        return true
    }

    /// Sends the change that the user requests for a subscription to the store.
    func perform(_ change: SubscriptionsSheet.Change) async throws(PaymentFailure) {
        switch change {
        case .disableAutoRenew(let transaction): try await manage(ManageSubscriptionRequest(transactionID: transaction, .disableAutoRenew))
        case .enableAutoRenew(let transaction): try await manage(ManageSubscriptionRequest(transactionID: transaction, .enableAutoRenew))
        case .change(let transaction, let product):
            let status = try await requireOnce("change \(transaction) \(product)", DeviceEndpoints.manageSubscription) { key in
                ManageSubscriptionRequest(transactionID: transaction, changeTo: product, payment: key)
            }
            await history.apply(status)
        }
    }

    private func manage(_ request: ManageSubscriptionRequest) async throws(PaymentFailure) {
        // Fetch the result from the store, whether or not the request succeeded.
        defer { runner.handle(.changesRequested) }
        let answer: AccountCalls.Answer<HistoryReply.Status>
        do throws(WireClientError) {
            answer = try await accounts.askWithRetry(DeviceEndpoints.manageSubscription, request)
        } catch {
            throw PaymentFailure(error)
        }
        await history.apply(try AccountCalls.response(answer))
    }

    /// Sends a request that costs money with an idempotency key, so that the store carries it out once.
    ///
    /// The journal stores the key before the request is sent, and deletes it when the store has answered. A repeated request, in this app
    /// session or a later one, has the same key, and the store does not carry it out a second time.
    ///
    /// - Parameter operation: The text that identifies the request in the journal.
    private func requireOnce<Request, Response>(
        _ operation: String, _ endpoint: Endpoint<Request, Response>, _ body: (PaymentID) -> Request
    ) async throws(PaymentFailure) -> Response {
        let isSignedIn: Bool
        do throws(WireClientError) { isSignedIn = try await signIn.ensureSignedIn() } catch { throw PaymentFailure(error) }
        guard isSignedIn, let account = session.account else { throw PaymentFailure(.paymentCancelled) }
        guard let key = try? journal.idempotencyKey(of: operation, for: account) else {
            throw PaymentFailure(.unknown, "The request can't be saved on this device and was not sent. Free some space and try again.")
        }
        // The purchase is in the store's list of unfinished transactions, even when the response was lost.
        defer { runner.handle(.changesRequested) }
        let answer: AccountCalls.Answer<Response>
        do throws(WireClientError) {
            answer = try await accounts.askWithRetry(endpoint, body(key))
        } catch {
            if !error.isRetryable { try? journal.forgetIdempotencyKey(of: operation, for: account) }
            throw PaymentFailure(error)
        }
        if case .response = answer { try? journal.forgetIdempotencyKey(of: operation, for: account) }
        return try AccountCalls.response(answer)
    }
}
