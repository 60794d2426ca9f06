import Logging
import PurchaseModel
import PurchaseProof
import StoreProtocol

/// The payment queue of a device: the state machine in memory and the journal on disk, which change together.
///
/// An event is decided, written and then applied. If the journal can't be written, the event has no effect.
final class PaymentQueue {
    /// The error that ends a pass for now: the store can't be reached, or the journal can't be written.
    struct Stalled: Error {}

    let journal: Journal
    private let session: StoreSession
    private let app: AppConnection
    private let logger: Logger
    /// The listeners for transaction updates, the purchase calls and the work, which changes of the queue concern.
    private weak var updates: TransactionUpdates?
    private weak var calls: PurchaseCalls?
    private weak var runner: WorkRunner?
    private(set) var machine = PaymentQueueMachine()
    /// Whether the engine has ended; the queue then accepts no more events.
    private(set) var isClosed = false
    /// Whether the app has launched the queue; before that, nothing is announced.
    private(set) var isLaunched = false
    /// The payments that the app added before the launch and that can't be written to the journal.
    private var unsaved: [PaymentRequest] = []
    /// The transactions that the store has acknowledged as finished while a restore runs; nil while none runs.
    private var acknowledged: Set<TransactionID>?

    init(journal: Journal, session: StoreSession, app: AppConnection, logger: Logger) {
        self.journal = journal
        self.session = session
        self.app = app
        self.logger = logger
    }

    /// Connects the queue to the receivers of its changes.
    func connect(_ updates: TransactionUpdates, _ calls: PurchaseCalls, _ runner: WorkRunner) {
        self.updates = updates
        self.calls = calls
        self.runner = runner
    }

    /// Loads the payments of the journal, except those with a transaction that can't be verified.
    func load() async {
        do {
            var kept: [PaymentQueueRecord] = []
            for record in try journal.records() {
                // No caller waits for a purchase call of an earlier app session, and its user had not confirmed the payment.
                if record.isPurchaseCall, case .queued = record.state {
                    forget(record)
                    continue
                }
                do {
                    try await session.verify(record)
                    kept.append(record)
                } catch {
                    // The store did not sign this transaction. A genuine purchase is fetched again from the store's list of
                    // unfinished transactions.
                    logger.warning("a journal transaction can't be verified", metadata: ["payment": "\(record.id)", "reason": "\(error)"])
                    forget(record)
                }
            }
            machine = PaymentQueueMachine(journal: kept)
        } catch {
            logger.error("the journal can't be read", metadata: ["error": "\(error)"])
        }
    }

    /// Removes a record from the journal that is not loaded; a record that can't be removed is removed at the next launch.
    private func forget(_ record: PaymentQueueRecord) {
        do {
            try journal.write([.forget(record.id)])
        } catch {
            logger.error("the journal can't be written", metadata: ["error": "\(error)"])
        }
    }

    /// Announces the visible payments to the app, which receives every change from then on.
    ///
    /// - Returns: Whether a payment has a transaction, so that the receipt on the device may be older than the transaction.
    func launch() -> Bool {
        isLaunched = true
        app.announce(.updated(machine.ordered.filter(machine.shows)))
        for request in unsaved { announceUnsaved(request) }
        unsaved = []
        return machine.records.values.contains { machine.shows($0) && $0.transactionID != nil }
    }

    /// Announces a change to the app; does nothing before the launch.
    func announce(_ announcement: Announcement) {
        if isLaunched { app.announce(announcement) }
    }

    // MARK: - Changes

    /// Adds a payment; a payment that is added before the launch is announced at the launch.
    func add(_ request: PaymentRequest) {
        do {
            try apply([.added(request)])
        } catch {
            // A payment that is not in the journal must not be sent to the store.
            if isLaunched { announceUnsaved(request) } else { unsaved.append(request) }
        }
    }

    /// Announces a payment that could not be written to the journal: the transaction is added and then fails.
    private func announceUnsaved(_ request: PaymentRequest) {
        let record = PaymentQueueRecord(request, sequence: machine.nextSequence)
        app.announce(.updated([record]))
        app.announce(.updated([record.moved(to: .failed(.notSaved))]))
    }

    /// Finishes the transactions of payments, with one write.
    ///
    /// If the journal can't be written, the transactions stay in the payment queue and are delivered again at the next launch.
    func finish(_ payments: [PaymentID]) {
        // A payment that is not in the journal exists only in the app's payment queue.
        let unsaved = payments.filter { machine.records[$0] == nil }
        if !unsaved.isEmpty { announce(.removed(unsaved, .finished)) }
        try? apply(payments.map { .finished($0) })
    }

    /// Finishes a transaction, which may come from another device of the account, or from this device before it was erased.
    ///
    /// If the journal can't be read or written, the transaction stays unfinished, and the device delivers it again.
    func finish(_ transaction: TransactionID) async {
        if let record = machine.record(of: transaction) { return finish([record.id]) }
        guard let account = machine.owner, let known = try? journal.purchases(of: account, .transaction(transaction)).first,
            !known.isFinished, let verified = try? await session.verify(known.signedTransaction), account == machine.owner
        else { return }
        try? apply([.delivered(verified)])
    }

    /// Applies events, all or none, with one write of the journal and one announcement.
    ///
    /// - Throws: ``Stalled`` if the journal can't be written; the events then have no effect, and the log has the reason.
    func apply(_ events: [PaymentQueueMachine.Event]) throws(Stalled) {
        guard !isClosed else { throw Stalled() }
        let actions = machine.decide(events)
        if actions.contains(where: \.changesJournal) {
            do {
                try journal.write(actions)
            } catch {
                logger.error("the journal can't be written", metadata: ["error": "\(error)"])
                throw Stalled()
            }
        }
        if acknowledged != nil {
            for case .forget(let id) in actions { if let id = machine.records[id]?.transactionID { acknowledged?.insert(id) } }
        }
        machine.apply(actions)
        report(actions)
    }

    private func report(_ actions: [PaymentQueueMachine.Action]) {
        var updated: [PaymentQueueRecord] = []
        var removed: [RemovalReason: [PaymentID]] = [:]
        for action in actions {
            switch action {
            case .announce(let record): updated.append(record)
            case .announceRemoval(let id, let reason): removed[reason, default: []].append(id)
            case .completeCall(let record): calls?.complete(record)
            case .startPass: runner?.handle(.paymentsNeeded)
            case .persist, .forget, .setOwner: break
            }
        }
        for reason in [RemovalReason.accountChanged, .finished] {
            if let removed = removed[reason] { announce(.removed(removed, reason)) }
        }
        if !updated.isEmpty { announce(.updated(updated)) }
        if isLaunched { updates?.announce(updated) }
    }

    /// Returns the events without transactions that the app has finished, and the store has acknowledged, since
    /// ``rememberAcknowledgments()``; a response that the store sent earlier may still contain them.
    func withoutAcknowledged(_ events: [PaymentQueueMachine.Event]) -> [PaymentQueueMachine.Event] {
        events.filter { event in
            guard case .received(_, let transaction, _, _) = event else { return true }
            return acknowledged?.contains(transaction.payload.transactionId) != true
        }
    }

    /// Remembers the acknowledged transactions from now on.
    func rememberAcknowledgments() { acknowledged = [] }

    /// Forgets the acknowledged transactions.
    func forgetAcknowledgments() { acknowledged = nil }

    /// Accepts no more events, so that nothing is written or announced after the end of the engine.
    func close() {
        isClosed = true
    }

    // MARK: - Transactions

    /// Returns the signed form of a transaction in the payment queue, or of the original transaction of a restored one; nil for others.
    func signed(_ transaction: TransactionID) -> SignedTransaction? {
        if let record = machine.record(of: transaction), machine.shows(record), let recorded = record.recorded { return recorded.signed }
        for record in machine.ordered where machine.shows(record) {
            if case .restored(_, let original) = record.state, original.id == transaction { return original.signed }
        }
        return nil
    }

    /// The account's unfinished transactions that are not in this device's payment queue.
    var unfinishedElsewhere: [(id: TransactionID, signed: SignedTransaction)] {
        guard let account = machine.owner, let known = try? journal.unfinished(of: account) else { return [] }
        return known.filter { !machine.contains($0.id) }
    }

    /// Returns the unfinished transactions: first those in the payment queue, then those of the account's other devices.
    ///
    /// - Parameter isAwaited: Returns whether an open payment may have produced a transaction; the result leaves such a transaction out.
    func unfinished(unless isAwaited: (SignedTransaction) -> Bool) -> [SignedTransaction] {
        machine.ordered.filter(machine.shows).compactMap(\.recorded?.signed) + unfinishedElsewhere.map(\.signed).filter { !isAwaited($0) }
    }
}

extension PaymentFailure {
    /// The failure of a payment that can't be written to the journal, and was therefore not sent to the store.
    static var notSaved: PaymentFailure { PaymentFailure(.unknown, "The payment can't be saved. Free some disk space.") }
}
