import GRDB
import Logging
import PurchaseModel
import PurchaseProtocol

/// Sends the outbox to the developers' servers, one pass at a time.
///
/// A pass that was interrupted by the end of the process is made again, so a server may get a notification twice; it knows it
/// by its UUID.
actor Notifier {
    /// How many notifications are in memory at a time.
    private static let pageSize = 100
    /// How many customers' notifications are under way at a time.
    private static let laneLimit = 8
    /// How long a call waits for the notifications that it caused.
    private static let patience = Duration.seconds(5)

    private let ledger: StoreLedger
    private let retries: NotificationRetries
    private let timeout: Duration
    private let logger: Logger
    /// The newest pass that began.
    private var running: Pass?
    /// The pass that begins when that one is done.
    private var following: Pass?
    private var count = 0
    /// How often the time is being moved, and the servers that were found silent meanwhile.
    private var moves: (count: Int, silent: UnresponsiveServers)?
    /// The servers that were silent in the last move of the time, for its next part.
    private var lastMove: UnresponsiveServers?
    /// Whether the last pass waited in vain for a server.
    private(set) var isHeldUp = false

    private struct Pass {
        let number: Int
        let task: Task<Bool, any Error>
        /// How many wait for its end.
        var waiters = 0
    }

    init(ledger: StoreLedger, retries: NotificationRetries, timeout: Duration, logger: Logger) {
        self.ledger = ledger
        self.retries = retries
        self.timeout = timeout
        self.logger = logger
    }

    /// Sends everything that is due now and returns when each was answered; passes never overlap.
    ///
    /// Customers do not wait for each other; the notifications of one customer go one after the other, as things happened. When
    /// nobody answers at an address, the pass sends nothing more there, so that a dead server costs one time-out and not one for
    /// each notification; what was not tried stays due for the next pass. See ``whileTimeMoves(_:)`` for the other way.
    ///
    /// - Returns: Whether somebody answered at every address.
    @discardableResult
    func deliver() async throws -> Bool {
        guard ledger.apps.all.contains(where: \.row.hasNotificationURL) else { return true }
        let (number, task) = join()
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            Task { await leave(number) }
        }
    }

    /// Sends everything that is due now, and returns when that is done or takes longer than ``patience``; the sending goes on.
    ///
    /// The call does not wait when the last pass timed out at a server.
    nonisolated func deliverSoon() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        Task {
            _ = try? await deliver()
            end.finish()
        }
        guard await !isHeldUp else { return }
        try? await withDeadline(Self.patience) { for await _ in ends {} }
    }

    /// Keeps the schedule of attempts while the time is moved, whether anybody answers or not.
    ///
    /// A server that did not answer in time is waited for once. Every further attempt there is kept at the time at which it was due, with
    /// the same outcome, so that weeks take a moment and the history of attempts is as if the weeks had passed.
    ///
    /// - Parameter isContinued: Whether this is a further part of the move before, which knows the silent servers.
    nonisolated func whileTimeMoves<Value: Sendable>(
        isContinued: Bool = false, _ move: () async throws -> Value
    ) async throws -> Value {
        await beginMove(isContinued: isContinued)
        do {
            let value = try await move()
            await endMove()
            return value
        } catch {
            await endMove()
            throw error
        }
    }

    private func beginMove(isContinued: Bool) {
        let known = moves?.silent ?? (isContinued ? lastMove : nil)
        moves = ((moves?.count ?? 0) + 1, known ?? UnresponsiveServers())
    }

    private func endMove() {
        guard let (count, silent) = moves else { return }
        moves = count > 1 ? (count - 1, silent) : nil
        lastMove = silent
    }

    /// The pass that has not begun yet, for all who come before it does: nobody waits for more than two.
    private func join() -> (number: Int, task: Task<Bool, any Error>) {
        var pass = following ?? makePass()
        pass.waiters += 1
        following = pass
        return (pass.number, pass.task)
    }

    private func makePass() -> Pass {
        count += 1
        let (number, previous) = (count, running?.task)
        let task = Task {
            _ = await previous?.result
            begin(number)
            return try await sendAllDue()
        }
        return Pass(number: number, task: task)
    }

    private func begin(_ number: Int) {
        guard let pass = following, pass.number == number else { return }
        (running, following) = (pass, nil)
    }

    /// Ends a pass for which nobody waits any more.
    private func leave(_ number: Int) {
        if running?.number == number {
            running?.waiters -= 1
            if running?.waiters == 0 { running?.task.cancel() }
        } else if following?.number == number {
            following?.waiters -= 1
            guard following?.waiters == 0 else { return }
            following?.task.cancel()
            following = nil
        }
    }

    private func sendAllDue() async throws -> Bool {
        let (silent, isMoving) = (moves?.silent ?? UnresponsiveServers(), moves != nil)
        let now = ledger.clock.now
        var place = OutboxPosition.beginning
        while case let page = try await ledger.outbox(after: place, at: now, limit: Self.pageSize), let last = page.last {
            place = last.place
            try await send(page.map(\.row), silent, isMoving)
        }
        isHeldUp = silent.wereWaitedFor
        return silent.isEmpty
    }

    /// Sends one page, each customer's notifications in a lane of their own.
    private func send(_ page: [NotificationRecord], _ silent: UnresponsiveServers, _ isMoving: Bool) async throws {
        var waiting = page.lanes[...]
        try await withThrowingTaskGroup { group in
            for lane in waiting.prefix(Self.laneLimit) {
                group.addTask { try await self.send(lane: lane, silent, isMoving) }
            }
            waiting = waiting.dropFirst(Self.laneLimit)
            while try await group.next() != nil {
                guard let lane = waiting.popFirst() else { continue }
                group.addTask { try await self.send(lane: lane, silent, isMoving) }
            }
        }
    }

    private nonisolated func send(lane: [NotificationRecord], _ silent: UnresponsiveServers, _ isMoving: Bool) async throws {
        for notification in lane {
            guard let body = notification.sentBody,
                let url = ledger.apps[notification.bundleID]?.row.notificationURL(in: notification.environment),
                let address = NotificationAddress(url)
            else { continue }
            if let result = silent.result(of: address) {
                guard isMoving else { return }
                try await keep(result, of: notification, at: ledger.clock.now)
                continue
            }
            for _ in 0..<min(max(notification.copies, 1), 2) {
                try Task.checkCancellation()
                let (date, start) = (ledger.clock.now, ContinuousClock.now)
                let result = await address.post(body, within: timeout)
                // An attempt that our own shutdown broke off says nothing about the server.
                try Task.checkCancellation()
                try await keep(result, of: notification, at: date)
                guard !result.isAnswer else { continue }
                // Who refuses at once can be asked again at once.
                let wasWaitedFor = ContinuousClock.now - start >= timeout / 2
                if wasWaitedFor || !isMoving { silent.insert(address, result, wasWaitedFor: wasWaitedFor) }
                guard isMoving else { return }
                break
            }
        }
    }

    /// Keeps the outcome of an attempt that was made at `date`.
    private nonisolated func keep(_ result: SendAttemptResult, of notification: NotificationRecord, at date: Timestamp) async throws {
        if result != .success {
            let facts: Logger.Metadata = ["notificationUUID": "\(notification.uuid)", "result": "\(result.rawValue)"]
            logger.info("a notification was not taken", metadata: facts)
        }
        let pattern = NotificationRetries.pattern(version: notification.version, in: notification.environment, sandbox: retries)
        try await ledger.write { [ledger] db, now in
            guard var row = try NotificationRecord.first("uuid", notification.uuid, db) else { return }
            row.attempted(result, at: date, retries: pattern)
            try row.update(db)
            try ledger.record(row.event(.delivery, at: now, detail: "\(row.title) \(result.rawValue)"), db)
        }
    }
}

extension [NotificationRecord] {
    /// The notifications of each customer, in order; what is about no customer stands alone.
    fileprivate var lanes: [[NotificationRecord]] {
        var lanes: [[NotificationRecord]] = []
        var places: [AccountID: Int] = [:]
        for row in self {
            guard let account = row.account else {
                lanes.append([row])
                continue
            }
            if let place = places[account] {
                lanes[place].append(row)
            } else {
                places[account] = lanes.count
                lanes.append([row])
            }
        }
        return lanes
    }
}
