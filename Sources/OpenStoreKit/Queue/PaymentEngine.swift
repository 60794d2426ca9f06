import Foundation
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
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
        case restore(ApplicationUser?)
        case call(PaymentRequest, CheckedContinuation<PurchaseConclusion, Never>)
        /// Ask the store for news, as when the app comes to the foreground.
        case retry
        /// Ask the store for news, because it has some; that changes nothing about the waits between failed attempts.
        case news
        case listen(AsyncStream<SignedTransaction>.Continuation)
        /// The app was told of a matter and has dealt with it.
        case told(DeliveryID)
        /// Somebody has signed in or out beside the engine.
        case ownerChanged
        case barrier(CheckedContinuation<Void, Never>)
        /// The store does not have these any more.
        case forget([TransactionID])
    }

    /// It can't go on now: the store can't be reached, or the journal can't be written.
    struct Stalled: Error {}

    let journal: Journal
    let session: StoreSession
    let state: DeviceState
    let interface: any StoreInterface
    let retryPolicy: RetryPolicy
    let clock: any Clock<Duration>
    let logger: Logger
    /// Who is told what happens to the queue.
    let app: AppConnection
    private let inbox: AsyncStream<Command>.Continuation
    private let submitted = Mutex(0)
    /// What the app has finished and the engine has not dealt with.
    private let finishes = Mutex<[PaymentID]>([])

    private(set) var machine = PaymentQueueMachine()
    private(set) var launched = false
    private(set) var ended = false
    /// The restore that is running, and for whom.
    var restoring: (task: Task<Void, Never>, customer: ApplicationUser?)?
    /// The wishes that came meanwhile and can't join it.
    var waitingRestores: [ApplicationUser?] = []
    /// The restore whose answer has not come; asked again, it makes no more transactions.
    var restoreRequest: RestoreRequest?
    /// The purchase calls that wait for their end.
    var calls: [PaymentID: CheckedContinuation<PurchaseConclusion, Never>] = [:]
    /// The transactions of this launch that purchase calls were answered with, or that the history told of; nobody is told of them again.
    var answered: Set<TransactionID> = []
    /// What the app was told of in this launch, or is being told.
    var told: Set<DeliveryID> = []
    var catchingUp: Task<Void, Never>?
    /// What the store told last of the owner's history and nobody can verify; shown as such, and never written down.
    var unproven: [TransactionID: PurchasesReply.Purchase] = [:]
    var wantsHistory = false
    var watching: Task<Void, Never>?
    var watches = 0
    nonisolated let news = DeviceEvents()
    /// Payments that were added in another country's store, and that the user has not confirmed.
    var moved: Set<PaymentID> = []
    /// Payments whose user agrees to ask a parent; after a launch, users are asked again.
    var agreed: Set<PaymentID> = []
    /// Payments that the app added before it launched, and that can't be kept.
    private var unkept: [PaymentRecord] = []
    var pass: Task<Void, Never>?
    var retry: Task<Void, Never>?
    var attempt = 0
    var wantsPass = false
    var wantsRetry = false
    var wantsSync = false
    var wantsReceipt = false
    var signingIn: Task<Result<Bool, WireClientError>, Never>?
    /// What the user has typed while the store could not be reached, so that nobody is asked twice.
    ///
    /// Never written down.
    var typed: Credentials?

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
        // Weakly held between commands: nobody keeps it alive but those who use it. Detached: what the task that makes a device is bound
        // to, such as a user's gesture, is no matter of the engine's.
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

    /// Takes a command and returns at once.
    nonisolated func submit(_ command: Command) {
        submitted.withLock { $0 += 1 }
        if case .finish(let id) = command {
            // Finishes that come faster than they can be written are written together, and told the store together.
            let isFirst = finishes.withLock { waiting in
                waiting.append(id)
                return waiting.count == 1
            }
            guard isFirst else { return }
        }
        inbox.yield(command)
    }

    /// Ends it after what was submitted so far: nothing is written, sent or announced any more.
    nonisolated func close() {
        inbox.finish()
    }

    /// Returns when everything submitted so far was carried out as far as it can be now, and `drain` has returned after it.
    ///
    /// Waiting for the network to come back is not waited for.
    nonisolated func settle(_ drain: @Sendable () async -> Void) async {
        var before: Int
        repeat {
            before = submitted.withLock { $0 }
            await withCheckedContinuation { continuation in
                // An engine that was closed takes nothing more.
                if case .terminated = inbox.yield(.barrier(continuation)) { continuation.resume() }
            }
            await quiet()
            await drain()
        } while submitted.withLock { $0 } != before
    }

    /// Returns when it has carried out what was submitted so far, with the launch unless that is not wanted yet.
    nonisolated func ready(launching: Bool = true) async {
        if launching { submit(.launch) }
        await withCheckedContinuation { continuation in
            if case .terminated = inbox.yield(.barrier(continuation)) { continuation.resume() }
        }
    }

    private func quiet() async {
        while let running = restoring?.task ?? pass ?? catchingUp {
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
        case .restore(let customer):
            startRestore(customer)
        case .call(let request, let continuation):
            launch()
            call(request, continuation)
        case .retry:
            attempt = 0
            wantsSync = true
            wantsRetry = true
            startPass()
        case .news:
            wantsSync = true
            startPass()
        case .listen(let continuation):
            launch()
            listen(continuation)
        case .told(let deliveryID):
            remember(deliveryID)
        case .ownerChanged:
            ownerChanged()
        case .barrier(let continuation):
            continuation.resume()
        case .forget(let transactions):
            finish(transactions.compactMap { machine.record(of: $0)?.id })
        }
    }

    private func launch() {
        guard !launched else { return }
        launched = true
        app.announce(.updated(machine.ordered.filter(machine.shows)))
        for record in unkept { tellUnkept(record) }
        unkept = []
        // The last launch may have ended before the receipt of a purchase was there.
        wantsReceipt = machine.records.values.contains { machine.shows($0) && $0.transactionID != nil }
        wantsSync = true
        startPass()
        startWatching()
    }

    /// What the app does before it launches is kept; what it is told of it comes with the launch.
    func tell(_ announcement: Announcement) {
        if launched { app.announce(announcement) }
    }

    private func add(_ record: PaymentRecord) {
        do {
            try take(.added(record))
        } catch {
            // What can't be written must not be sent.
            if launched { tellUnkept(record) } else { unkept.append(record) }
        }
    }

    /// Tells the app of a payment that could not be kept as of any other: it begins, and it fails.
    private func tellUnkept(_ record: PaymentRecord) {
        app.announce(.updated([record]))
        app.announce(.updated([record.moved(to: .failed(PaymentFailure(.unknown, "The payment can't be kept on this device.")))]))
    }

    private func finish(_ ids: [PaymentID]) {
        // One that could not be kept is in nobody's list but the app's.
        let unkept = ids.filter { machine.records[$0] == nil }
        if !unkept.isEmpty { tell(.removed(unkept)) }
        // When it can't be written, the transactions stay in the queue and come back.
        try? take(all: ids.map { .finished($0) })
    }

    private func end() {
        ended = true
        for task in [pass, restoring?.task, retry, catchingUp, watching] { task?.cancel() }
        signingIn?.cancel()
        for call in calls.values { call.resume(returning: .pending) }
        calls = [:]
        news.end()
    }

    // MARK: - The journal

    /// Takes over what the journal holds and a trusted store still vouches for; everything else comes after it.
    private func load() async {
        do {
            var kept: [PaymentRecord] = []
            for record in try journal.records() {
                // Nobody waits for a purchase call of an earlier launch, and its user had not confirmed.
                if record.isCall == true, case .queued = record.state {
                    try journal.write([.forget(record.id)])
                    continue
                }
                do {
                    try await session.vouch(for: record)
                    kept.append(record)
                } catch {
                    // Whoever wrote it was not the store. A real purchase comes back from the store's own list.
                    logger.warning("a journaled transaction was refused", metadata: ["payment": "\(record.id)", "reason": "\(error)"])
                    try journal.write([.forget(record.id)])
                }
            }
            machine = PaymentQueueMachine(journal: kept)
            try take(.ownerChanged(state.owner))
        } catch {
            logger.error("the journal can't be read", metadata: ["error": "\(error)"])
        }
    }

    /// Lets an event happen: journal first, then memory, then the app.
    ///
    /// When the journal can't be written, it has not happened.
    func take(_ event: PaymentQueueMachine.Event) throws(Stalled) {
        let actions = machine.decide(event)
        try write(actions)
        machine.apply(actions)
        tell(of: actions)
    }

    /// Lets events happen, all or none, with one write and one announcement.
    func take(all events: [PaymentQueueMachine.Event]) throws(Stalled) {
        var before: [(id: PaymentID, record: PaymentRecord?)] = []
        var actions: [PaymentQueueMachine.Action] = []
        for event in events {
            let next = machine.decide(event)
            for action in next {
                switch action {
                case .persist(let record): before.append((record.id, machine.records[record.id]))
                case .forget(let id): before.append((id, machine.records[id]))
                case .announce, .announceRemoval, .conclude, .own, .work: break
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
        tell(of: actions)
    }

    private func write(_ actions: [PaymentQueueMachine.Action]) throws(Stalled) {
        guard !ended else { throw Stalled() }
        guard actions.contains(where: \.changesJournal) else { return }
        do {
            try journal.write(actions)
        } catch {
            logger.error("the journal can't be written", metadata: ["error": "\(error)"])
            throw Stalled()
        }
    }

    private func tell(of actions: [PaymentQueueMachine.Action]) {
        var updated: [PaymentRecord] = []
        var removed: [PaymentID] = []
        for action in actions {
            switch action {
            case .announce(let record): updated.append(record)
            case .announceRemoval(let id): removed.append(id)
            case .conclude(let record): conclude(record)
            case .work: startPass()
            case .persist, .forget, .own: break
            }
        }
        if !removed.isEmpty { tell(.removed(removed)) }
        if !updated.isEmpty { tell(.updated(updated)) }
        // Whoever listens first is told of all that is in the queue then.
        for transaction in updated.compactMap(\.recorded) where launched && !answered.contains(transaction.id) {
            news.updates.tell(transaction.signed, keeping: false)
        }
    }
}
