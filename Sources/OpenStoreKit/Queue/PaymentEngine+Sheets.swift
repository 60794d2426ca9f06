import Logging
import PurchaseModel
import PurchaseProtocol
import WireClient

/// The requests that the system's sheets make on behalf of the user, for StoreKit 1 and 2 alike; results arrive as updates.
extension PaymentEngine {
    /// Asks the user for an offer code and has the store redeem it; a cancellation is no failure, because the sheet was shown.
    ///
    /// - Throws: The reason why the code was not redeemed, after the sheet has shown the reason to the user.
    func redeemOfferCode() async throws(PaymentFailure) {
        guard let code = await interface.offerCode() else { return }
        await ready(launching: false)
        do throws(PaymentFailure) {
            try await redeem(code)
        } catch {
            if error != PaymentFailure(.paymentCancelled) { await interface.refused(offerCode: code, because: error.message) }
            throw error
        }
    }

    private func redeem(_ code: String) async throws(PaymentFailure) {
        let reply = try await requireOnce("redeem \(code)", DeviceEndpoints.redeem) { RedeemRequest(payment: $0, code: code) }
        switch reply {
        case .purchased(let signed, _): await showUnlessProven(signed)
        case .deferred, .permissionNeeded: break
        case .refused(let code, let message): throw PaymentFailure(domain: PaymentFailure.storeKitDomain, code: code, message: message)
        }
    }

    /// Delivers a transaction that can't be verified to the app; a verified one arrives with the store's list of unfinished transactions.
    private func showUnlessProven(_ signed: SignedTransaction) async {
        do {
            _ = try await session.verify(signed)
        } catch {
            logger.warning("what a code was redeemed for can't be verified", metadata: ["reason": "\(error)"])
            // A transaction that has arrived with the list meanwhile was verified.
            if let id = signed.unverifiedPayload?.transactionId, machine.holds(id) { return }
            news.updates.tell(signed)
        }
    }

    /// Asks the user to consent to a price increase, and sends the answer to the store.
    ///
    /// - Returns: Whether the user has answered.
    /// - Throws: The reason why the store did not accept the answer; the price increase then still needs consent.
    @discardableResult
    func askConsent(_ message: StoreMessage) async throws(PaymentFailure) -> Bool {
        let reply = try? await session.ask(DeviceEndpoints.products, ProductsRequest(productIDs: [message.productID]))
        let product = reply?.products.first { $0.id == message.productID }
        guard let agrees = await interface.consent(to: PriceConsentSheet(message.productID, product)) else { return false }
        try await manage(ManageRequest(transaction: message.originalTransactionID, agrees ? .agree : .disagree))
        return true
    }

    /// Has the store change a subscription at its customer's request.
    func carryOut(_ change: SubscriptionsSheet.Change) async throws(PaymentFailure) {
        switch change {
        case .cancel(let transaction): try await manage(ManageRequest(transaction: transaction, .disableAutoRenew))
        case .renew(let transaction): try await manage(ManageRequest(transaction: transaction, .enableAutoRenew))
        case .change(let transaction, let product):
            let status = try await requireOnce("change \(transaction) \(product)", DeviceEndpoints.manage) { key in
                ManageRequest(transaction: transaction, changeTo: product, payment: key)
            }
            await take(status)
        }
    }

    private func manage(_ request: ManageRequest) async throws(PaymentFailure) {
        // Fetch the result from the store, whether or not the request succeeded.
        defer { submit(.retry) }
        let answer: Answer<PurchasesReply.Status>
        do throws(WireClientError) { answer = try await insist(DeviceEndpoints.manage, request) } catch { throw PaymentFailure(error) }
        await take(try granted(answer))
    }

    /// Has the store carry out a request that costs money, once.
    ///
    /// The idempotency key is on the disk before the request is sent, and stays until a response arrives. A repeated request, in this app
    /// session or a later one, uses the same key, and the store does not carry it out a second time.
    private func requireOnce<Request, Response>(
        _ errand: String, _ endpoint: Endpoint<Request, Response>, _ body: (PaymentID) -> Request
    ) async throws(PaymentFailure) -> Response {
        let isSignedIn: Bool
        do throws(WireClientError) { isSignedIn = try await signedIn() } catch { throw PaymentFailure(error) }
        guard isSignedIn, let account = session.account else { throw PaymentFailure(.paymentCancelled) }
        guard let key = try? journal.key(of: errand, for: account) else {
            throw PaymentFailure(.unknown, "This can't be kept on the device, so the store was not asked.")
        }
        // The purchase is in the store's list of unfinished transactions, even when the response was lost.
        defer { submit(.retry) }
        let answer: Answer<Response>
        do throws(WireClientError) {
            answer = try await insist(endpoint, body(key))
        } catch {
            if !error.isPassing { try? journal.forget(errand, for: account) }
            throw PaymentFailure(error)
        }
        if case .response = answer { try? journal.forget(errand, for: account) }
        return try granted(answer)
    }

    /// Calls the store on behalf of the user, and once more when no response arrives; only for requests that are safe to repeat.
    private func insist<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request
    ) async throws(WireClientError) -> Answer<Response> {
        do throws(WireClientError) {
            return try await ask(endpoint, body)
        } catch {
            guard error.isPassing else { throw error }
            return try await ask(endpoint, body)
        }
    }
}
