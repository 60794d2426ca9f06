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

    /// It can't go on now: the store can't be reached, or the journal can't be written.
    struct Stalled: Error {}

    let journal: Journal
    let session: StoreSession
    let state: DeviceState
    let interface: any StoreInterface
    let retryPolicy: RetryPolicy
    let clock: any Clock<Duration>
    let logger: Logger
    private let announce: @Sendable (Announcement) -> Void
    private let inbox: AsyncStream<Command>.Continuation
    private let submitted = Mutex(0)

    private(set) var machine = PaymentQueueMachine()
    private(set) var launched = false
    private(set) var ended = false
    private var restoring: Task<Void, Never>?
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
        // Weakly held between commands: nobody keeps it alive but those who use it.
        Task { [weak self] in
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

    private func quiet() async {
        while let running = restoring ?? pass {
            await running.value
        }
    }

    private func handle(_ command: Command) async {
        switch command {
        case .launch:
            guard !launched else { return }
            launched = true
            announce(.updated(machine.ordered.filter(\.isVisible)))
            wantsSync = true
            startPass()
        case .add(let request):
            add(request.record(sequence: machine.nextSequence))
        case .finish(let id):
            finish(id)
        case .restore(let customer):
            // A second wish joins the first.
            guard restoring == nil else { return }
            restoring = Task { [weak self] in await self?.restore(customer) }
        case .retry:
            attempt = 0
            wantsSync = true
            wantsRetry = true
            startPass()
        case .barrier(let continuation):
            continuation.resume()
        }
    }

    /// What the app does before it launches is kept; what it is told of it comes with the launch.
    private func tell(_ announcement: Announcement) {
        if launched { announce(announcement) }
    }

    private func add(_ record: PaymentRecord) {
        do {
            try take(.added(record))
        } catch {
            // What can't be written must not be sent. It appears like any other, so that whoever waits for it hears of its end.
            tell(.updated([record]))
            tell(.updated([record.moved(to: .failed(PaymentFailure(.unknown, "The payment can't be kept on this device.")))]))
        }
    }

    private func finish(_ id: PaymentID) {
        // One that could not be kept is in nobody's list but the app's.
        guard machine.records[id] != nil else { return tell(.removed([id])) }
        // When it can't be written, the transaction stays in the queue and comes back.
        try? take(.finished(id))
    }

    private func end() {
        ended = true
        for task in [pass, restoring, retry] { task?.cancel() }
        signingIn?.cancel()
    }

    // MARK: - The journal

    /// Takes over what the journal holds and a trusted store still vouches for; everything else comes after it.
    private func load() async {
        do {
            var kept: [PaymentRecord] = []
            for record in try journal.records() {
                do {
                    try await session.vouch(for: record)
                    kept.append(record)
                } catch {
                    // Whoever wrote it was not the store. A real purchase comes back from the store's own list.
                    logger.warning("a journalled transaction was refused", metadata: ["payment": "\(record.id)", "reason": "\(error)"])
                    try journal.write([.forget(record.id)])
                }
            }
            machine = PaymentQueueMachine(journal: kept)
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
        var next = machine
        let actions = events.flatMap { next.handle($0) }
        try write(actions)
        machine = next
        tell(of: actions)
    }

    private func write(_ actions: [PaymentQueueMachine.Action]) throws(Stalled) {
        guard !ended else { throw Stalled() }
        guard !actions.isEmpty else { return }
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
            case .work: startPass()
            case .persist, .forget: break
            }
        }
        if !updated.isEmpty { tell(.updated(updated)) }
        if !removed.isEmpty { tell(.removed(removed)) }
    }

    // MARK: - Restore

    private func restore(_ customer: CustomerID?) async {
        defer { restoring = nil }
        do {
            let request = RestoreRequest(request: UUID(), appAccountToken: customer)
            guard let reply = try await ask(DeviceEndpoints.restore, request) else {
                return announce(.restoreFailed(PaymentFailure(.paymentCancelled)))
            }
            do throws(Stalled) {
                try take(all: await held(reply.transactions))
            } catch {
                return announce(.restoreFailed(PaymentFailure(.unknown, "The purchases can't be kept on this device.")))
            }
            announce(.restoreFinished)
        } catch {
            announce(.restoreFailed(PaymentFailure(error)))
        }
    }
}
