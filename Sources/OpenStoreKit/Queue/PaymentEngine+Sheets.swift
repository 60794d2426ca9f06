import Logging
import PurchaseModel
import PurchaseProtocol
import WireClient

/// What the system's own sheets do in the user's name, for StoreKit 1 and 2 alike; what comes of it comes like other news.
extension PaymentEngine {
    /// Asks the user for an offer code and has the store redeem it; a cancel is no failure, as the sheet was shown.
    ///
    /// - Throws: Why the code was not redeemed, after the user has been shown that.
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

    /// Shows the app what can't be verified; what can comes from the store's list of what is unfinished.
    private func showUnlessProven(_ signed: SignedTransaction) async {
        do {
            _ = try await session.verify(signed)
        } catch {
            logger.warning("what a code was redeemed for can't be verified", metadata: ["reason": "\(error)"])
            // What has come with the list meanwhile was verified.
            if let id = signed.unverifiedPayload?.transactionId, machine.holds(id) { return }
            news.updates.tell(signed)
        }
    }

    /// Asks the user about a higher price, and tells the store what they say.
    ///
    /// - Returns: Whether they have answered.
    /// - Throws: Why the store did not take the answer, which leaves the question open.
    @discardableResult
    func askConsent(_ message: StoreMessage) async throws(PaymentFailure) -> Bool {
        let reply = try? await session.ask(DeviceEndpoints.products, ProductsRequest(productIDs: [message.productID]))
        let product = reply?.products.first { $0.id == message.productID }
        guard let agrees = await interface.consent(to: PriceConsentSheet(message.productID, product)) else { return false }
        try await manage(ManageRequest(transaction: message.originalTransactionID, agrees ? .agree : .disagree))
        return true
    }

    /// Has the store change a subscription as its customer wants.
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
        // Whatever has come of it, the store knows.
        defer { submit(.retry) }
        let answer: Answer<PurchasesReply.Status>
        do throws(WireClientError) { answer = try await insist(DeviceEndpoints.manage, request) } catch { throw PaymentFailure(error) }
        await take(try granted(answer))
    }

    /// Has the store do what costs money, once.
    ///
    /// The key of it is on the disk before the store is asked, and stays until an answer has come: whoever asks for the same again, in
    /// this launch or a later one, asks under the same key, and what the store did meanwhile is not done a second time.
    private func requireOnce<Request, Response>(
        _ errand: String, _ endpoint: Endpoint<Request, Response>, _ body: (PaymentID) -> Request
    ) async throws(PaymentFailure) -> Response {
        let isSignedIn: Bool
        do throws(WireClientError) { isSignedIn = try await signedIn() } catch { throw PaymentFailure(error) }
        guard isSignedIn, let account = session.account else { throw PaymentFailure(.paymentCancelled) }
        guard let key = try? journal.key(of: errand, for: account) else {
            throw PaymentFailure(.unknown, "This can't be kept on the device, so the store was not asked.")
        }
        // What was bought is among what the device has not finished, also when the answer was lost.
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

    /// Calls the store as the user, and once more when no answer comes; only for what may be carried out twice.
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
