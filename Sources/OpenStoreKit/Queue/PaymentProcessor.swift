import Logging
import PurchaseModel
import PurchaseProof
import StoreProtocol
import Wire

/// Sends the open payments and the finished transactions to the store, after asking the user to confirm each payment.
///
/// The payments are processed in order. A payment that needs the user waits for its sheet, and the payments after it wait as well. The
/// sheet is shown by work of its own, so that finished transactions, promotions and messages do not wait for a person.
final class PaymentProcessor {
    typealias Stalled = PaymentQueue.Stalled

    /// A sheet that a payment waits for.
    private struct OpenSheet {
        enum Kind {
            case confirmation(ConfirmationSheet)
            /// The question whether to request a parent's approval (Ask to Buy).
            case permission(ConfirmationSheet)
            case signIn
        }

        let payment: PaymentID
        let kind: Kind
    }

    private let queue: PaymentQueue
    private let session: StoreSession
    private let signIn: SignIn
    private let calls: PurchaseCalls
    private let interface: any StoreInterface
    private let app: AppConnection
    private let runner: WorkRunner
    private let logger: Logger
    /// The payments that were added before the storefront changed and that the user has not confirmed.
    private var paymentsFromOldStorefront: Set<PaymentID> = []
    /// The payments for which the user agreed to ask a parent (Ask to Buy); after a relaunch, the user is asked again.
    private var approvalRequested: Set<PaymentID> = []
    /// The payment for which the user has just signed in; the user is not asked twice for one attempt to send it.
    private var paymentOfSignIn: PaymentID?
    /// The sheet that is shown, or about to be shown.
    private var openSheet: OpenSheet?

    init(
        queue: PaymentQueue, session: StoreSession, signIn: SignIn, calls: PurchaseCalls, interface: any StoreInterface,
        app: AppConnection, runner: WorkRunner, logger: Logger
    ) {
        self.queue = queue
        self.session = session
        self.signIn = signIn
        self.calls = calls
        self.interface = interface
        self.app = app
        self.runner = runner
        self.logger = logger
    }

    /// Sends the open payments, oldest first, and the finished transactions of the signed-in account, as far as possible without the user.
    ///
    /// The finished transactions are sent before a payment, because the store returns the unfinished transaction of a consumable instead of
    /// selling the consumable again. The user is asked about a payment before that, also without a network.
    func run() async throws(Stalled) {
        while !queue.isClosed {
            let payment = openSheet == nil ? queue.machine.nextPayment : nil
            if let payment, payment.state == .queued {
                try await askUser(payment)
            } else if session.account != nil, session.account == queue.machine.owner, queue.machine.nextFinish != nil {
                try await sendFinishes(queue.machine.nextFinishes(FinishRequest.limit))
            } else if let payment {
                try await send(payment)
            } else {
                return
            }
        }
    }

    // MARK: - Sheets

    /// Requests the work that shows a sheet; its payment, and the payments after it, wait for the answer.
    private func open(_ kind: OpenSheet.Kind, for record: PaymentQueueRecord) {
        openSheet = OpenSheet(payment: record.id, kind: kind)
        runner.handle(.sheetNeeded)
    }

    /// Shows the open sheet, waits for the user's answer, and applies the answer to the payment.
    func showSheet() async throws(Stalled) {
        guard let openSheet else { return }
        defer { self.openSheet = nil }
        let payment = openSheet.payment
        switch openSheet.kind {
        case .confirmation(let sheet):
            let isConfirmed = await interface.confirm(sheet)
            // The storefront may have changed while the sheet was open.
            if isConfirmed, await !shouldContinue(payment) { return try fail(payment, PaymentFailure(.storeProductNotAvailable)) }
            try queue.apply([.confirmed(payment, isConfirmed)])
        case .permission(let sheet):
            guard await interface.askPermission(sheet) else { return try fail(payment, PaymentFailure(.paymentCancelled)) }
            approvalRequested.insert(payment)
        case .signIn:
            let hasSignedIn: Bool
            do throws(WireClientError) {
                hasSignedIn = try await signIn.ensureSignedIn()
            } catch {
                guard !error.isRetryable else { throw Stalled() }
                return try fail(payment, PaymentFailure(error))
            }
            guard hasSignedIn else { return try fail(payment, PaymentFailure(.paymentCancelled)) }
            paymentOfSignIn = payment
        }
    }

    /// Records that the open payments were added in another storefront, so that the app decides whether they continue.
    func storefrontChanged() {
        for record in queue.machine.records.values where record.state == .queued { paymentsFromOldStorefront.insert(record.id) }
    }

    private func fail(_ payment: PaymentID, _ failure: PaymentFailure) throws(Stalled) {
        try queue.apply([.failed(payment, failure)])
    }

    /// Returns whether the app lets a payment continue after the account's storefront has changed.
    private func shouldContinue(_ id: PaymentID) async -> Bool {
        guard paymentsFromOldStorefront.contains(id), let storefront = session.state.session?.storefront else { return true }
        guard await app.shouldContinue(id, in: storefront) else { return false }
        paymentsFromOldStorefront.remove(id)
        return true
    }

    private func askUser(_ record: PaymentQueueRecord) async throws(Stalled) {
        guard await shouldContinue(record.id) else { return try fail(record.id, PaymentFailure(.storeProductNotAvailable)) }
        guard !session.state.settings.restrictsPayments else { return try fail(record.id, PaymentFailure(.paymentNotAllowed)) }
        guard (1...10).contains(record.quantity) else {
            return try fail(record.id, PaymentFailure(.paymentInvalid, "The quantity \(record.quantity) is not from 1 to 10."))
        }
        if let sheet = try await sheet(for: record) { open(.confirmation(sheet), for: record) }
    }

    /// Asks a child whether to request a parent's approval (Ask to Buy); the payment is then sent again.
    private func askPermission(_ record: PaymentQueueRecord) async throws(Stalled) {
        guard !approvalRequested.contains(record.id) else {
            return try fail(record.id, PaymentFailure(.unknown, "The store asks again to confirm an Ask to Buy request."))
        }
        if let sheet = try await sheet(for: record) { open(.permission(sheet), for: record) }
    }

    /// Returns the confirmation sheet of a payment, or nil if the payment has failed because the product is not available.
    private func sheet(for record: PaymentQueueRecord) async throws(Stalled) -> ConfirmationSheet? {
        do {
            if let product = try await description(of: record) {
                return ConfirmationSheet(product, quantity: record.quantity, billingPlan: record.billingPlan, seats: record.seats)
            }
            try fail(record.id, PaymentFailure(.storeProductNotAvailable))
        } catch let error as WireClientError {
            guard !error.isRetryable else { throw Stalled() }
            try fail(record.id, PaymentFailure(error))
        } catch { throw Stalled() }
        return nil
    }

    private func description(of record: PaymentQueueRecord) async throws(WireClientError) -> StoreProduct? {
        // A purchase call always fetches the current product description, so that no sheet is shown when the store can't be reached.
        if let product = record.product, !record.isPurchaseCall { return product }
        let reply = try await session.products([record.productID])
        return reply.products.first { $0.id == record.productID }
    }

    private func send(_ record: PaymentQueueRecord) async throws(Stalled) {
        guard session.isSignedIn else { return open(.signIn, for: record) }
        let hasSignedIn = paymentOfSignIn == record.id
        paymentOfSignIn = nil
        let reply: PurchaseReply?
        do throws(WireClientError) {
            let user = ApplicationUser(record.username)
            let request = PurchaseRequest(
                payment: record.id,
                productID: record.productID,
                quantity: record.quantity,
                appAccountToken: user?.token,
                offer: record.offer,
                billingPlan: record.billingPlan,
                seats: record.seats,
                simulatesAskToBuy: record.simulatesAskToBuy ? true : nil,
                returnsAlreadyOwned: record.isPurchaseCall ? true : nil,
                applicationUsername: user?.username,
                confirmsAskToBuy: approvalRequested.contains(record.id)
            )
            // The payment is sent only as its account, whose reply is valid even if another account has signed in meanwhile.
            reply = try await session.ask(DeviceEndpoints.purchase, request, as: queue.machine.records[record.id]?.account)
        } catch .refused(401, _) where !hasSignedIn {
            // The store session has expired, and the user is asked to sign in.
            return
        } catch {
            guard !error.isRetryable else { throw Stalled() }
            return try fail(record.id, PaymentFailure(error))
        }
        if let reply { return try await apply(reply, to: record) }
        // The payment waits until its own account signs in; while the change of account can't be written, all payments wait.
        if session.isSignedIn, queue.machine.nextPayment?.id == record.id { throw Stalled() }
    }

    private func apply(_ reply: PurchaseReply, to record: PaymentQueueRecord) async throws(Stalled) {
        if reply != .askToBuyConfirmationRequired { approvalRequested.remove(record.id) }
        switch reply {
        case .purchased(let signed, let content):
            guard let transaction = try await verified(signed, for: record) else { return }
            // The receipt is stored before the transaction is announced, because an app reads the receipt as soon as it is notified.
            if await !session.refreshReceipt() { runner.handle(.receiptNeeded) }
            // If the payment was removed meanwhile and another account owns the queue, the transaction would be assigned to that account.
            // The store lists the transaction as unfinished for the payment's account.
            guard record.account == queue.machine.owner || queue.machine.records[record.id]?.isUnderWay == true else { return }
            try queue.apply([.received(record.id, transaction, restoredFrom: nil, content: content)])
            if queue.machine.records[record.id]?.isToBeSent == true {
                // The transaction already belongs to another payment. Sending this payment again would return the same transaction forever,
                // so that the payment fails. A purchase call returns the transaction once more.
                calls.answer(record.id, .purchased(transaction))
                let message = "The store responded with transaction \(transaction.payload.transactionId), which is already in the queue."
                try fail(record.id, PaymentFailure(.unknown, message))
            }
        case .deferred:
            try queue.apply([.deferred(record.id)])
        case .askToBuyConfirmationRequired:
            try await askPermission(record)
        case .refused(let code, let message):
            let failure = PaymentFailure(domain: PaymentFailure.storeKitDomain, code: code, message: message)
            try fail(record.id, failure)
        }
    }

    /// Returns the verified transaction if the store signed it for this payment; otherwise the payment fails and the result is nil.
    ///
    /// A purchase that was nevertheless charged is not lost, because the store lists its transaction as unfinished.
    private func verified(_ signed: SignedTransaction, for record: PaymentQueueRecord) async throws(Stalled) -> VerifiedTransaction? {
        do throws(VerificationFailure) {
            let transaction = try await session.verify(signed)
            if record.isFulfilled(by: transaction.payload) { return transaction }
            logger.warning("the store returned a transaction that does not match the payment", metadata: ["payment": "\(record.id)"])
        } catch {
            logger.warning("the transaction of a payment can't be verified", metadata: ["payment": "\(record.id)", "reason": "\(error)"])
            // A purchase call returns the unverified transaction to its caller.
            calls.answer(record.id, .unverified(signed, error))
        }
        try fail(record.id, PaymentFailure(.unknown, "The store's transaction for \(record.productID) could not be verified."))
        return nil
    }

    private func sendFinishes(_ records: [PaymentQueueRecord]) async throws(Stalled) {
        let ids = records.compactMap(\.transactionID)
        guard let first = ids.first else { return }
        do {
            let request = FinishRequest(transactionID: first, furtherTransactionIDs: ids.count > 1 ? Array(ids.dropFirst()) : nil)
            guard try await session.ask(DeviceEndpoints.finish, request, as: queue.machine.owner) != nil else { return }
            runner.handle(.receiptNeeded)
        } catch .refused(401, let refusal) {
            // The store session has expired. The finish is sent after the next sign-in; a finish alone never asks for a sign-in.
            guard let payment = paymentOfSignIn else { return }
            // The user has just signed in for this payment, and is not asked again.
            paymentOfSignIn = nil
            guard queue.machine.records[payment]?.isToBeSent == true else { return }
            return try fail(payment, PaymentFailure(WireClientError.refused(status: 401, refusal)))
        } catch let error where error.isRetryable {
            throw Stalled()
        } catch  where records.count > 1 {
            // The store does not know the first transaction. Sent one by one, the other transactions are finished.
            for record in records { try await sendFinishes([record]) }
            return
        } catch {
            // The store does not know the transaction.
            logger.notice("the store refused to finish a transaction", metadata: ["transaction": "\(first)", "reason": "\(error)"])
        }
        try queue.apply(records.map { .acknowledged($0.id) })
    }
}
