import Foundation
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import Synchronization
import WireClient

/// Runs the payment queue of a device: carries out the actions of ``PaymentQueueMachine`` with the journal, the user, the store and the
/// app.
///
/// Commands are submitted to an inbox, so that a call never blocks and the order of commands is kept. At most one pass over the open
/// payments runs at a time. If the store can't be reached, the pass ends and is retried later.
actor PaymentEngine {
    /// A request to the engine from the app, the device or a test session.
    enum Command: Sendable {
        case launch
        case add(PaymentRequest)
        case finish(PaymentID)
        case restore(ApplicationUser?)
        case call(PaymentRequest, CheckedContinuation<PurchaseCallResult, Never>)
        /// Fetch changes from the store, as when the app comes to the foreground.
        case retry
        /// Fetch changes that the store has announced, without resetting the delay between failed attempts.
        case fetchChanges
        case listen(AsyncStream<SignedTransaction>.Continuation)
        /// The app has handled a message or a promoted in-app purchase.
        case acknowledge(DeliveryID)
        /// A test session has signed an account in.
        case ownerChanged
        case barrier(CheckedContinuation<Void, Never>)
        /// A test session has deleted these transactions from the store.
        case forget([TransactionID])
    }

    /// The error that ends a pass for now: the store can't be reached, or the journal can't be written.
    struct Stalled: Error {}

    let journal: Journal
    let session: StoreSession
    let state: DeviceState
    let interface: any StoreInterface
    let retryPolicy: RetryPolicy
    let clock: any Clock<Duration>
    let logger: Logger
    /// The connection to the app, which receives the announcements.
    let app: AppConnection
    private let inbox: AsyncStream<Command>.Continuation
    private let submitted = Mutex(0)
    /// The payments whose transactions the app has finished, and that the engine has not yet processed.
    private let finishes = Mutex<[PaymentID]>([])

    private(set) var machine = PaymentQueueMachine()
    private(set) var isLaunched = false
    private(set) var hasEnded = false
    /// The running restore and its application username.
    var restoring: (task: Task<Void, Never>, user: ApplicationUser?)?
    /// The users of restore requests that wait for the end of the running restore.
    var waitingRestores: [ApplicationUser?] = []
    /// The request of a restore that is not complete; repeating the request creates no more transactions.
    var restoreRequest: RestoreRequest?
    /// The purchase calls that wait for the result of a payment.
    var calls: [PaymentID: CheckedContinuation<PurchaseCallResult, Never>] = [:]
    /// The transactions that purchase calls returned or the history reported in this app session; they are not delivered again.
    var deliveredTransactions: Set<TransactionID> = []
    /// New transactions of the history that may result from an open payment; they are reported if the payment has another result.
    var withheld: Set<TransactionID> = []
    /// The transactions that a test session has deleted from the store; the response to an earlier request may still contain them.
    var deleted: Set<TransactionID> = []
    /// The messages and promoted in-app purchases that were announced to the app in this app session.
    var deliveredMessages: Set<DeliveryID> = []
    var historyUpdate: Task<Void, Never>?
    /// The latest entries of the owner's history that can't be verified; they are returned as unverified and never stored.
    var unverifiedPurchases: [TransactionID: HistoryReply.Purchase] = [:]
    var needsHistoryUpdate = false
    var watching: Task<Void, Never>?
    var watchNumber = 0
    nonisolated let deviceEvents = DeviceEvents()
    /// The payments that were added before the storefront changed and that the user has not confirmed.
    var paymentsFromOldStorefront: Set<PaymentID> = []
    /// The payments for which the user agreed to ask a parent (Ask to Buy); after a relaunch, the user is asked again.
    var approvalRequested: Set<PaymentID> = []
    /// The payments that the app added before the launch and that can't be written to the journal.
    private var unsaved: [PaymentRecord] = []
    var pass: Task<Void, Never>?
    var retry: Task<Void, Never>?
    var attempt = 0
    var needsPass = false
    var needsRetry = false
    var needsSync = false
    var needsReceipt = false
    var signingIn: Task<Result<Bool, WireClientError>, Never>?
    /// The credentials that the user entered while the store could not be reached, so that the user is not asked twice.
    ///
    /// The credentials are never written to disk.
    var enteredCredentials: Credentials?

    init(
        journal: Journal,
        session: StoreSession,
        state: DeviceState,
        interface: any StoreInterface,
        retryPolicy: RetryPolicy,
        clock: any Clock<Duration>,
        logger: Logger,
        app: AppConnection
    ) {
        self.journal = journal
        self.session = session
        self.state = state
        self.interface = interface
        self.retryPolicy = retryPolicy
        self.clock = clock
        self.logger = logger
        self.app = app
        let (stream, continuation) = AsyncStream.makeStream(of: Command.self)
        inbox = continuation
        // The task holds the engine weakly between commands, and does not keep the engine alive. The task is detached, because task-local
        // values of the task that creates a device, such as a user gesture, do not apply to the engine.
        Task.detached { [weak self] in
            await self?.load()
            for await command in stream {
                await self?.handle(command)
            }
            await self?.end()
        }
    }

    deinit {
        inbox.finish()
    }

    /// Submits a command and returns at once.
    nonisolated func submit(_ command: Command) {
        submitted.withLock { $0 += 1 }
        if case .finish(let id) = command {
            // Finishes that are submitted faster than they can be written are written and sent to the store together.
            let isFirst = finishes.withLock { waiting in
                waiting.append(id)
                return waiting.count == 1
            }
            guard isFirst else { return }
        }
        inbox.yield(command)
    }

    /// Ends the engine after the commands submitted so far; afterwards, the engine writes, sends and announces nothing.
    nonisolated func close() {
        inbox.finish()
    }

    /// Waits until all submitted commands are carried out as far as possible now, and `drain` has returned afterwards.
    ///
    /// The call does not wait for an unavailable network.
    ///
    /// - Parameter drain: Waits until the app has received all announcements.
    nonisolated func waitUntilIdle(_ drain: @Sendable () async -> Void) async {
        var before: Int
        repeat {
            before = submitted.withLock { $0 }
            await withCheckedContinuation { continuation in
                // A closed engine accepts no more commands.
                if case .terminated = inbox.yield(.barrier(continuation)) { continuation.resume() }
            }
            await waitForRunningTasks()
            await drain()
        } while submitted.withLock { $0 } != before
    }

    /// Waits until the commands submitted so far are carried out.
    ///
    /// - Parameter launching: Whether to submit the launch command first.
    nonisolated func waitUntilReady(launching: Bool = true) async {
        if launching { submit(.launch) }
        await withCheckedContinuation { continuation in
            if case .terminated = inbox.yield(.barrier(continuation)) { continuation.resume() }
        }
    }

    private func waitForRunningTasks() async {
        while let running = restoring?.task ?? pass ?? historyUpdate {
            await running.value
        }
    }

    private func handle(_ command: Command) async {
        switch command {
        case .launch:
            launch()
        case .add(let request):
            add(request.record(sequence: machine.nextSequence))
        case .finish:
            let waiting = finishes.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            finish(waiting)
        case .restore(let user):
            startRestore(user)
        case .call(let request, let continuation):
            launch()
            call(request, continuation)
        case .retry:
            attempt = 0
            needsSync = true
            needsRetry = true
            startPass()
        case .fetchChanges:
            needsSync = true
            startPass()
        case .listen(let continuation):
            launch()
            listen(continuation)
        case .acknowledge(let deliveryID):
            acknowledge(deliveryID)
        case .ownerChanged:
            ownerChanged()
        case .barrier(let continuation):
            continuation.resume()
        case .forget(let transactions):
            deleted.formUnion(transactions)
            finish(transactions.compactMap { machine.record(of: $0)?.id })
        }
    }

    private func launch() {
        guard !isLaunched else { return }
        isLaunched = true
        app.announce(.updated(machine.ordered.filter(machine.shows)))
        for record in unsaved { announceUnsaved(record) }
        unsaved = []
        // The previous app session may have ended before the receipt of a purchase was stored.
        needsReceipt = machine.records.values.contains { machine.shows($0) && $0.transactionID != nil }
        needsSync = true
        startPass()
        startWatching()
    }

    /// Announces a change to the app; does nothing before the launch.
    func announce(_ announcement: Announcement) {
        if isLaunched { app.announce(announcement) }
    }

    /// Adds a payment; a payment that is added before the launch is announced at the launch.
    private func add(_ record: PaymentRecord) {
        do {
            try apply(.added(record))
        } catch {
            // A payment that is not in the journal must not be sent to the store.
            if isLaunched { announceUnsaved(record) } else { unsaved.append(record) }
        }
    }

    /// Announces a payment that could not be written to the journal: the transaction is added and then fails.
    private func announceUnsaved(_ record: PaymentRecord) {
        app.announce(.updated([record]))
        app.announce(.updated([record.moved(to: .failed(PaymentFailure(.unknown, "The payment can't be saved. Free some disk space.")))]))
    }

    private func finish(_ ids: [PaymentID]) {
        // A payment that is not in the journal exists only in the app's payment queue.
        let unsaved = ids.filter { machine.records[$0] == nil }
        if !unsaved.isEmpty { announce(.removed(unsaved)) }
        // If the journal can't be written, the transactions stay in the payment queue and are delivered again.
        try? apply(all: ids.map { .finished($0) })
    }

    private func end() {
        hasEnded = true
        for task in [pass, restoring?.task, retry, historyUpdate, watching] { task?.cancel() }
        signingIn?.cancel()
        for call in calls.values { call.resume(returning: .pending) }
        calls = [:]
        deviceEvents.end()
    }

    // MARK: - The journal

    /// Loads the payments of the journal, except those with a transaction that can't be verified.
    ///
    /// The engine carries out commands after the load.
    private func load() async {
        do {
            var kept: [PaymentRecord] = []
            for record in try journal.records() {
                // No caller waits for a purchase call of an earlier app session, and its user had not confirmed the payment.
                if record.isPurchaseCall, case .queued = record.state {
                    try journal.write([.forget(record.id)])
                    continue
                }
                do {
                    try await session.verify(record)
                    kept.append(record)
                } catch {
                    // The store did not sign this transaction. A genuine purchase is fetched again from the store's list of
                    // unfinished transactions.
                    logger.warning("a journal transaction can't be verified", metadata: ["payment": "\(record.id)", "reason": "\(error)"])
                    try journal.write([.forget(record.id)])
                }
            }
            machine = PaymentQueueMachine(journal: kept)
            try apply(.ownerChanged(state.owner))
        } catch {
            logger.error("the journal can't be read", metadata: ["error": "\(error)"])
        }
    }

    /// Applies an event: writes the journal, then changes the queue in memory, then notifies the app.
    ///
    /// - Throws: ``Stalled`` if the journal can't be written; the event then has no effect.
    func apply(_ event: PaymentQueueMachine.Event) throws(Stalled) {
        let actions = machine.decide(event)
        try write(actions)
        machine.apply(actions)
        announce(of: actions)
    }

    /// Applies events, all or none, with one write and one announcement.
    ///
    /// - Throws: ``Stalled`` if the journal can't be written; the events then have no effect.
    func apply(all events: [PaymentQueueMachine.Event]) throws(Stalled) {
        var before: [(id: PaymentID, record: PaymentRecord?)] = []
        var actions: [PaymentQueueMachine.Action] = []
        for event in events {
            let next = machine.decide(event)
            for action in next {
                switch action {
                case .persist(let record): before.append((record.id, machine.records[record.id]))
                case .forget(let id): before.append((id, machine.records[id]))
                case .announce, .announceRemoval, .completeCall, .setOwner, .startPass: break
                }
            }
            machine.apply(next)
            actions += next
        }
        do throws(Stalled) {
            try write(actions)
        } catch {
            machine.undo(before)
            throw error
        }
        announce(of: actions)
    }

    private func write(_ actions: [PaymentQueueMachine.Action]) throws(Stalled) {
        guard !hasEnded else { throw Stalled() }
        guard actions.contains(where: \.changesJournal) else { return }
        do {
            try journal.write(actions)
        } catch {
            logger.error("the journal can't be written", metadata: ["error": "\(error)"])
            throw Stalled()
        }
    }

    private func announce(of actions: [PaymentQueueMachine.Action]) {
        var updated: [PaymentRecord] = []
        var removed: [PaymentID] = []
        for action in actions {
            switch action {
            case .announce(let record): updated.append(record)
            case .announceRemoval(let id): removed.append(id)
            case .completeCall(let record): completeCall(record)
            case .startPass: startPass()
            case .persist, .forget, .setOwner: break
            }
        }
        if !removed.isEmpty { announce(.removed(removed)) }
        if !updated.isEmpty { announce(.updated(updated)) }
        // The first listener receives all transactions in the payment queue when it starts, so that these are not buffered.
        for transaction in updated.compactMap(\.recorded) where isLaunched && !deliveredTransactions.contains(transaction.id) {
            deviceEvents.updates.announce(transaction.signed, buffering: false)
        }
    }
}
