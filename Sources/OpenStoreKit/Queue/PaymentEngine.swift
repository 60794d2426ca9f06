import Foundation
import Logging
import PurchaseModel
import PurchaseProof
import StoreProtocol
import Synchronization
import Wire

/// The engine of a device: carries out the commands of the app in order, and performs the work that ``WorkSchedule`` requests.
///
/// Everything enters through the inbox: commands with ``PaymentInbox/submit(_:)``, which returns at once, and requests with a response with
/// ``request(launching:_:)``. The state belongs to the engine's parts, which only the engine's executor accesses. The executor is a
/// separate thread, because the parts write to disk. For each event, the parts determine the actions, write the journal and apply the
/// actions without a suspension point, so no other event runs in between.
actor PaymentEngine {
    nonisolated let session: StoreSession
    nonisolated let interface: any StoreInterface
    nonisolated let deviceEvents = DeviceEvents()
    nonisolated let logger: Logger
    /// The connection to the app, which receives the announcements.
    nonisolated let app: AppConnection
    /// The commands of the app, the device and the test sessions.
    nonisolated let inbox = PaymentInbox()
    /// The task that carries out the commands of the inbox.
    private nonisolated let commands = Mutex<Task<Void, Never>?>(nil)

    let queue: PaymentQueue
    let calls: PurchaseCalls
    let updates: TransactionUpdates
    let accounts: AccountCalls
    let history: HistorySync
    let sheets: StoreSheets
    let appTransactions: AppTransactionFetch
    private let signIn: SignIn
    private let runner: WorkRunner
    private let processor: PaymentProcessor
    private let deliveries: PendingDeliveries
    private let synchronization: UnfinishedSync
    private let restore: Restore
    private let watch: EventWatch

    init(
        journal: Journal,
        session: StoreSession,
        interface: any StoreInterface,
        retryPolicy: RetryPolicy,
        clock: any Clock<Duration>,
        logger: Logger,
        app: AppConnection
    ) {
        self.session = session
        self.interface = interface
        self.logger = logger
        self.app = app
        queue = PaymentQueue(journal: journal, session: session, app: app, logger: logger)
        updates = TransactionUpdates(queue: queue, listeners: deviceEvents.updates)
        calls = PurchaseCalls(session: session, queue: queue, updates: updates)
        runner = WorkRunner(session: session, calls: calls, updates: updates, retryPolicy: retryPolicy, clock: clock)
        signIn = SignIn(session: session, interface: interface)
        accounts = AccountCalls(session: session, queue: queue, signIn: signIn)
        history = HistorySync(queue: queue, session: session, updates: updates, deviceEvents: deviceEvents, logger: logger)
        deliveries = PendingDeliveries(queue: queue, deviceEvents: deviceEvents, logger: logger)
        appTransactions = AppTransactionFetch(queue: queue, session: session, accounts: accounts)
        processor = PaymentProcessor(
            queue: queue, session: session, signIn: signIn, calls: calls, interface: interface, app: app, runner: runner, logger: logger)
        synchronization = UnfinishedSync(
            queue: queue, session: session, processor: processor, deliveries: deliveries, deviceEvents: deviceEvents, runner: runner,
            logger: logger)
        restore = Restore(queue: queue, session: session, accounts: accounts, runner: runner, app: app, logger: logger)
        sheets = StoreSheets(
            queue: queue, session: session, signIn: signIn, accounts: accounts, history: history, updates: updates, interface: interface,
            runner: runner, logger: logger)
        watch = EventWatch(session: session, retryPolicy: retryPolicy, clock: clock) { [inbox] in inbox.submit(.fetchChanges) }
        session.onRefusal { [inbox] in inbox.submit(.sessionEnded) }
        // The task holds the engine weakly between commands, and does not keep the engine alive. The task is detached, because task-local
        // values of the task that creates a device, such as a user gesture, do not apply to the engine.
        let task = Task.detached { [weak self, inbox] in
            /// Carries out commands one at a time, so that other work of the engine can run between them.
            func carryOut(_ commands: some Sequence<PaymentCommand>) async {
                // Finishes that are submitted faster than they can be written are written and sent to the store together.
                var finished: [PaymentID] = []
                for command in commands {
                    if case .finish(let payments) = command {
                        finished += payments
                        continue
                    }
                    if !finished.isEmpty { await self?.handle(.finish(finished)) }
                    finished = []
                    await self?.handle(command)
                }
                if !finished.isEmpty { await self?.handle(.finish(finished)) }
            }
            await self?.load()
            for await _ in inbox.signals { await carryOut(inbox.takeAll().joined()) }
            await carryOut(inbox.takeAll().joined())
            await self?.end()
        }
        commands.withLock { $0 = task }
    }

    /// The thread on which the engine runs, together with the session.
    nonisolated var unownedExecutor: UnownedSerialExecutor { session.executor.asUnownedSerialExecutor() }

    // MARK: - The inbox

    /// Runs a request with a response in the caller's task, after all commands that were submitted earlier.
    ///
    /// - Parameter launching: Whether to submit the launch command first.
    nonisolated func request<Value: Sendable, Failure>(
        launching: Bool = true, _ body: @Sendable (isolated PaymentEngine) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if launching { inbox.submit(.launch) }
        await inbox.turn()
        return try await body(self)
    }

    /// Ends the engine after the commands submitted so far; afterwards, the engine writes, sends and announces nothing.
    nonisolated func close() {
        inbox.close()
        // Keeps the engine alive until the commands submitted so far are carried out.
        Task.detached { [self] in await commands.withLock { $0 }?.value }
    }

    /// Waits until all submitted commands are carried out as far as possible now, and `drain` has returned afterwards.
    ///
    /// The call does not wait for an unavailable network.
    ///
    /// - Parameter drain: Waits until the app has received all announcements.
    nonisolated func waitUntilIdle(_ drain: @Sendable () async -> Void) async {
        var before: (submitted: Int, started: Int)
        repeat {
            before = (inbox.submitted, await startedWork)
            await inbox.turn()
            await waitForWork()
            await drain()
        } while await before != (inbox.submitted, startedWork)
    }

    private var startedWork: Int { runner.startedWork }

    private func waitForWork() async {
        await runner.wait { $0 != .watch }
    }

    private func handle(_ command: PaymentCommand) {
        switch command {
        case .launch:
            launch()
        case .add(let request):
            queue.add(request)
        case .finish(let payments):
            queue.finish(payments)
        case .restore(let user):
            runner.handle(.restoreRequested(user))
        case .call(let request, let call):
            launch()
            calls.add(request, call)
        case .retry:
            runner.handle(.changesRequested)
        case .fetchChanges:
            runner.handle(.changesAnnounced)
        case .listen(let continuation):
            launch()
            updates.listen(continuation)
        case .acknowledge(let deliveryID):
            deliveries.acknowledge(deliveryID)
        case .ownerChanged:
            ownerChanged()
        case .sessionEnded:
            runner.handle(.sessionEnded)
        case .forget(let transactions):
            synchronization.forget(transactions)
        case .turn(let continuation):
            continuation.resume()
        }
    }

    // MARK: - The app session

    private func load() async {
        queue.connect(updates, calls, runner)
        runner.engine = self
        signIn.engine = self
        await queue.load()
        // If the owner can't be written, payments without an account are assigned at the next launch.
        try? queue.apply([.ownerChanged(session.state.owner)])
    }

    private func launch() {
        guard !queue.isLaunched else { return }
        runner.handle(.launched(needsReceipt: queue.launch()))
    }

    private func end() {
        queue.close()
        runner.end()
        signIn.end()
        calls.end()
        deviceEvents.end()
    }

    // MARK: - Work

    /// Performs work that the schedule has started.
    func perform(_ work: WorkSchedule.Work, number: Int) async {
        var stalled = false
        do throws(PaymentQueue.Stalled) {
            switch work {
            case .synchronization:
                try adoptOwner()
                try await synchronization.run()
            case .payments:
                try adoptOwner()
                try await processor.run()
            case .sheet:
                try await processor.showSheet()
            // One receipt for all finished transactions; with a receipt for each transaction, the total cost would be quadratic.
            case .receipt: if await !session.refreshReceipt() { throw PaymentQueue.Stalled() }
            case .history: await history.run()
            case .watch: await watch.run()
            case .restore(let user): await SignInReason.$current.withValue(.restore) { await restore.run(user) }
            }
        } catch {
            stalled = true
        }
        runner.workEnded(work, number: number, stalled: stalled)
    }

    /// Starts the next attempt, because the delay is over.
    func retryDue() {
        runner.handle(.retryDue)
    }

    /// Fetches the changes of the account's history, unless the last three attempts to reach the store have failed.
    func refreshHistory() async {
        guard !runner.isStoreUnreachable else { return }
        runner.handle(.historyNeeded)
        await runner.wait { $0 == .history }
    }

    /// Fetches the receipt and all changes from the store at the user's request.
    ///
    /// - Throws: ``PaymentFailure`` if the receipt can't be fetched.
    func synchronize() async throws(PaymentFailure) {
        try await accounts.refreshReceipt(ReceiptRequest())
        runner.handle(.changesRequested)
        await runner.wait { $0.isStep }
        await refreshHistory()
    }

    // MARK: - The account

    /// Asks the user to sign in, for all callers that wait for an account.
    func askToSignIn() async -> Result<Bool, WireClientError> {
        await signIn.askToSignIn()
    }

    /// Signs an account in, and starts to fetch the account's transactions from the store.
    func signIn(_ credentials: Credentials) async throws(WireClientError) {
        try await session.signIn(credentials)
        ownerChanged()
    }

    /// Signs out: the account's transactions leave the queue until the account signs in again.
    func signOut() async throws(DeviceError) {
        try await session.signOut()
        ownerChanged()
    }

    /// Assigns the payment queue to the account that has signed in, or to no account after signing out.
    ///
    /// If the journal can't be written, the next step of the pass assigns the queue.
    func ownerChanged() {
        try? adoptOwner()
        signIn.ownerChanged()
        calls.ownerChanged()
        runner.handle(.accountChanged)
    }

    /// Assigns the payment queue to the session's account if another account owns the queue.
    private func adoptOwner() throws(PaymentQueue.Stalled) {
        let before = queue.machine.owner
        guard before != session.state.owner else { return }
        try queue.apply([.ownerChanged(session.state.owner)])
        deliveries.ownerChanged()
        deviceEvents.dropUndelivered()
        history.ownerChanged()
        updates.ownerChanged()
        // A restore that asked the user to sign in continues with its account.
        if before != nil { restore.ownerChanged() }
    }
}
