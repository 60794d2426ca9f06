import Foundation
import Logging
import PurchaseModel
import PurchaseProof
import Synchronization
import WireClient

/// Carries out what ``PaymentQueueMachine`` decides: journal, sheets, store and announcements, in this order.
///
/// Commands come through an inbox, so calling it never blocks and their order is kept. At most one pass over the open
/// payments runs at a time; when the store can't be reached, the pass ends and is tried again later.
actor PaymentEngine {
    /// What the app asks for.
    enum Command: Sendable {
        case launch
        case add(PaymentRequest)
        case finish(PaymentID)
        case restore(CustomerID?)
        case retry
        case barrier(CheckedContinuation<Void, Never>)
    }

    private let journal: Journal
    private let session: StoreSession
    private let state: DeviceState
    private let interface: any StoreInterface
    private let retryPolicy: RetryPolicy
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let announce: @Sendable (Announcement) -> Void
    private let inbox: AsyncStream<Command>.Continuation
    private let submitted = Mutex(0)

    private var machine = PaymentQueueMachine()
    private var launched = false
    private var wantsSync = false
    private var wantsPass = false
    private var pass: Task<Void, Never>?
    private var restoring: Task<Void, Never>?
    private var retry: Task<Void, Never>?
    private var attempt = 0

    init(
        journal: Journal,
        session: StoreSession,
        state: DeviceState,
        interface: any StoreInterface,
        retryPolicy: RetryPolicy,
        clock: any Clock<Duration>,
        logger: Logger,
        announce: @escaping @Sendable (Announcement) -> Void
    ) {
        self.journal = journal
        self.session = session
        self.state = state
        self.interface = interface
        self.retryPolicy = retryPolicy
        self.clock = clock
        self.logger = logger
        self.announce = announce
        let (stream, continuation) = AsyncStream.makeStream(of: Command.self)
        inbox = continuation
        // Weakly held between commands: a device that nobody holds any more ends its engine.
        Task { [weak self] in
            for await command in stream {
                await self?.handle(command)
            }
        }
    }

    deinit {
        inbox.finish()
        pass?.cancel()
        restoring?.cancel()
        retry?.cancel()
    }

    /// Takes a command and returns at once.
    nonisolated func submit(_ command: Command) {
        submitted.withLock { $0 += 1 }
        inbox.yield(command)
    }

    /// Returns when everything submitted so far was carried out as far as it can be now, and `drain` has returned after it.
    ///
    /// Waiting for the network to come back is not waited for.
    nonisolated func settle(_ drain: @Sendable () async -> Void) async {
        var seen = -1
        while true {
            await withCheckedContinuation { submit(.barrier($0)) }
            await quiet()
            await drain()
            // Only the barrier itself was submitted since the last round.
            let count = submitted.withLock { $0 }
            if count == seen + 1 { return }
            seen = count
        }
    }

    private func quiet() async {
        while let running = restoring ?? pass {
            await running.value
        }
    }

    private func handle(_ command: Command) async {
        switch command {
        case .launch:
            await launch()
        case .add(let request):
            perform(machine.handle(.added(request.record(sequence: machine.nextSequence))))
        case .finish(let id):
            perform(machine.handle(.finished(id)))
        case .restore(let customer):
            // A second wish joins the first.
            guard restoring == nil else { return }
            restoring = Task { [weak self] in await self?.restore(customer) }
        case .retry:
            attempt = 0
            wantsSync = true
            startPass()
        case .barrier(let continuation):
            continuation.resume()
        }
    }

    // MARK: - Launch

    private func launch() async {
        guard !launched else { return }
        launched = true
        do {
            let records = try await verified(journal.records())
            machine = PaymentQueueMachine(journal: records)
            announce(.updated(records.filter(\.isVisible)))
        } catch {
            logger.error("the journal can't be read", metadata: ["error": "\(error)"])
        }
        wantsSync = true
        startPass()
    }

    /// What of the journal is still vouched for: signed data is verified again each time it is read.
    private func verified(_ records: [PaymentRecord]) async throws -> [PaymentRecord] {
        var kept: [PaymentRecord] = []
        for record in records {
            do {
                switch record.state {
                case .purchased(let transaction):
                    try await session.vouch(for: transaction)
                case .restored(let transaction, let original):
                    try await session.vouch(for: transaction)
                    try await session.vouch(for: original)
                case .queued, .confirmed, .deferred, .failed, .finished:
                    break
                }
                kept.append(record)
            } catch {
                // Whoever wrote it was not the store. A real purchase comes back from the store's own list.
                logger.warning("a journalled transaction was refused", metadata: ["payment": "\(record.id)", "reason": "\(error)"])
                try journal.forget(record.id)
            }
        }
        return kept
    }

    // MARK: - Actions

    private func perform(_ actions: [PaymentQueueMachine.Action]) {
        for action in actions {
            do {
                switch action {
                case .persist(let record): try journal.persist([record])
                case .forget(let id): try journal.forget(id)
                case .announce(let record): announce(.updated([record]))
                case .announceRemoval(let id): announce(.removed([id]))
                case .work: startPass()
                }
            } catch {
                // What can't be written must not be sent: the rest of the actions is dropped. The next launch goes on from the journal.
                logger.error("the journal can't be written", metadata: ["error": "\(error)"])
                return
            }
        }
    }

    // MARK: - The pass over open payments

    private func startPass() {
        wantsPass = true
        guard launched, pass == nil else { return }
        retry?.cancel()
        retry = nil
        pass = Task { [weak self] in
            await self?.runPasses()
        }
    }

    private func runPasses() async {
        defer { pass = nil }
        while wantsPass, !Task.isCancelled {
            wantsPass = false
            do throws(WireClientError) {
                if wantsSync, session.isSignedIn {
                    try await synchronise()
                    wantsSync = false
                }
                while let record = machine.ordered.first(where: \.needsWork), !Task.isCancelled {
                    try await work(on: record)
                }
                attempt = 0
            } catch {
                scheduleRetry()
                return
            }
        }
    }

    private func scheduleRetry() {
        attempt += 1
        let delay = retryPolicy.delay(beforeAttempt: attempt)
        retry = Task { [weak self, clock] in
            try? await clock.sleep(for: delay)
            guard !Task.isCancelled else { return }
            await self?.startPass()
        }
    }

    /// Does the next thing for a payment; throws when the store could not be reached.
    private func work(on record: PaymentRecord) async throws(WireClientError) {
        switch record.state {
        case .queued: try await askUser(record)
        case .confirmed: try await send(record)
        case .finished(let transaction): try await tellFinished(record.id, transaction)
        case .deferred, .purchased, .restored, .failed: break
        }
    }

    private func askUser(_ record: PaymentRecord) async throws(WireClientError) {
        guard !state.settings.restrictsPayments else {
            perform(machine.handle(.failed(record.id, PaymentFailure(.paymentNotAllowed))))
            return
        }
        guard (1...10).contains(record.quantity) else {
            perform(machine.handle(.failed(record.id, PaymentFailure(.paymentInvalid, "The quantity is not from 1 to 10."))))
            return
        }
        var product = record.product
        if product == nil {
            product = try await session.ask(DeviceEndpoints.products, ProductsRequest(productIDs: [record.productID])).products.first
        }
        guard let product else {
            perform(machine.handle(.failed(record.id, PaymentFailure(.storeProductNotAvailable))))
            return
        }
        let yes = await interface.confirm(ConfirmationSheet(product, quantity: record.quantity))
        perform(machine.handle(.confirmed(record.id, yes)))
    }

    private func send(_ record: PaymentRecord) async throws(WireClientError) {
        let wasSignedIn = session.isSignedIn
        let reply: PurchaseReply
        do {
            guard try await signedIn() else {
                return perform(machine.handle(.failed(record.id, PaymentFailure(.paymentCancelled))))
            }
            let request = PurchaseRequest(
                payment: record.id,
                productID: record.productID,
                quantity: record.quantity,
                appAccountToken: record.username.map { CustomerID($0) }
            )
            reply = try await session.askSignedIn(DeviceEndpoints.purchase, request)
        } catch .refused(401, _) where wasSignedIn {
            // The session had ended; it is forgotten now, so the next round asks the user, once.
            return
        } catch where error.isPassing {
            throw error
        } catch {
            return perform(machine.handle(.failed(record.id, PaymentFailure(error))))
        }
        switch reply {
        case .purchased(let signed):
            guard let transaction = await verified(signed, for: record) else { return }
            // The receipt comes before the news: an app that hears of a purchase looks into the receipt at once.
            _ = try? await session.refreshReceipt()
            perform(machine.handle(.purchased(record.id, transaction)))
        case .deferred:
            perform(machine.handle(.deferred(record.id)))
        case .refused(let code, let message):
            perform(machine.handle(.failed(record.id, PaymentFailure(SKError.Code(rawValue: code) ?? .unknown, message))))
        }
    }

    /// The transaction when the store signed it for this payment; otherwise the payment has failed.
    ///
    /// A purchase that was paid all the same is not lost: the store goes on listing it as unfinished.
    private func verified(_ signed: SignedTransaction, for record: PaymentRecord) async -> VerifiedTransaction? {
        do {
            let transaction = try await session.verify(signed)
            if transaction.payload.productId == record.productID, transaction.payload.quantity == record.quantity {
                return transaction
            }
            logger.warning("the store answered with another purchase", metadata: ["payment": "\(record.id)"])
        } catch {
            logger.warning("the store's answer was refused", metadata: ["payment": "\(record.id)", "reason": "\(error)"])
        }
        perform(machine.handle(.failed(record.id, PaymentFailure(.unknown, "The store's answer could not be verified."))))
        return nil
    }

    private func tellFinished(_ id: PaymentID, _ transaction: TransactionID) async throws(WireClientError) {
        do {
            guard session.isSignedIn else { return perform(machine.handle(.acknowledged(id))) }
            _ = try await session.askSignedIn(DeviceEndpoints.finish, FinishRequest(transaction: transaction))
            _ = try? await session.refreshReceipt()
        } catch where error.isPassing {
            throw error
        } catch {
            // The store does not know the transaction, so there is nothing to finish there.
            logger.notice("the store refused a finish", metadata: ["transaction": "\(transaction)", "reason": "\(error)"])
        }
        perform(machine.handle(.acknowledged(id)))
    }

    /// Whether somebody is signed in, asking the user when nobody is; false when the user cancels.
    private func signedIn() async throws(WireClientError) -> Bool {
        guard !session.isSignedIn else { return true }
        guard let credentials = await interface.signIn() else { return false }
        try await session.signIn(credentials)
        return true
    }

    /// Fetches the latest receipt on the user's wish, asking for a sign-in when nobody is signed in.
    func refreshReceipt(expired: Bool) async throws(PaymentFailure) {
        let yes: Bool
        do {
            yes = try await signedIn()
        } catch {
            throw PaymentFailure(error)
        }
        guard yes else { throw PaymentFailure(.paymentCancelled) }
        _ = try await session.refreshReceipt(expired: expired)
    }

    /// Takes over what the store holds for this device: approvals, renewals, and purchases whose answer was lost.
    private func synchronise() async throws(WireClientError) {
        let reply: UnfinishedReply
        do {
            reply = try await session.askSignedIn(DeviceEndpoints.unfinished, Empty())
        } catch where error.isPassing {
            throw error
        } catch {
            logger.notice("the store refused to list transactions", metadata: ["reason": "\(error)"])
            return
        }
        let known = Set(machine.records.values.compactMap(\.transactionID))
        var news: [PaymentQueueMachine.Event] = reply.declined.map {
            .failed($0, PaymentFailure(.paymentCancelled, "The purchase was declined."))
        }
        for element in reply.transactions {
            guard let event = await listed(element), !event.transactionIsAmong(known) else { continue }
            news.append(event)
        }
        if !news.isEmpty {
            _ = try? await session.refreshReceipt()
        }
        for event in news {
            perform(machine.handle(event))
        }
    }

    private func listed(_ element: UnfinishedTransaction) async -> PaymentQueueMachine.Event? {
        do {
            let transaction = try await session.verify(element.transaction)
            guard let signedOriginal = element.restoredFrom else { return .listed(element.payment, transaction, restoredFrom: nil) }
            return .listed(element.payment, transaction, restoredFrom: try await session.verify(signedOriginal))
        } catch {
            logger.warning("a transaction of the store was refused", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    // MARK: - Restore

    private func restore(_ customer: CustomerID?) async {
        defer { restoring = nil }
        do {
            guard try await signedIn() else { return announce(.restoreFailed(PaymentFailure(.paymentCancelled))) }
            let request = RestoreRequest(request: UUID(), appAccountToken: customer)
            let reply = try await session.askSignedIn(DeviceEndpoints.restore, request)
            for element in reply.transactions {
                guard let event = await listed(element) else { continue }
                perform(machine.handle(event))
            }
            announce(.restoreFinished)
        } catch {
            announce(.restoreFailed(PaymentFailure(error)))
        }
    }
}

extension PaymentQueueMachine.Event {
    fileprivate func transactionIsAmong(_ known: Set<TransactionID>) -> Bool {
        guard case .listed(_, let transaction, _) = self else { return false }
        return known.contains(transaction.payload.transactionId)
    }
}
