import GRDB
import Logging
import PurchaseModel
import PurchaseProtocol

/// Sends the pending notifications to the developers' servers, one pass at a time.
///
/// A pass that the end of the process interrupts is repeated, so a server may receive a notification twice; the notification's UUID
/// identifies the duplicate.
actor Notifier {
    /// The maximum number of notifications in memory.
    private static let pageSize = 100
    /// The maximum number of accounts whose notifications are sent concurrently.
    private static let laneLimit = 8
    /// The time for which a request waits for the notifications that it caused.
    private static let patience = Duration.seconds(5)

    private let ledger: StoreLedger
    private let retries: NotificationRetries
    private let timeout: Duration
    private let logger: Logger
    /// The newest pass that has begun.
    private var running: Pass?
    /// The pass that begins after the running pass.
    private var following: Pass?
    private var count = 0
    /// The number of time advances in progress, and the servers that did not respond during them.
    private var moves: (count: Int, silent: UnresponsiveServers)?
    /// The servers that did not respond during the last time advance, for the continuation of that advance.
    private var lastMove: UnresponsiveServers?
    /// Whether the last pass timed out at a server.
    private(set) var isHeldUp = false

    private struct Pass {
        let number: Int
        let task: Task<Bool, any Error>
        /// The number of tasks that wait for the end of the pass.
        var waiters = 0
    }

    init(ledger: StoreLedger, retries: NotificationRetries, timeout: Duration, logger: Logger) {
        self.ledger = ledger
        self.retries = retries
        self.timeout = timeout
        self.logger = logger
    }

    /// Sends every due notification and returns when each has a response; passes never overlap.
    ///
    /// Accounts do not wait for each other, and the notifications of one account are sent in the order of their events. After a URL gives
    /// no
    /// response, the pass sends nothing more to that URL, so that an unreachable server costs one time-out and not one for each
    /// notification;
    /// notifications without an attempt stay due for the next pass. ``whileTimeMoves(_:)`` behaves differently.
    ///
    /// - Returns: Whether every URL responded.
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

    /// Sends every due notification, and returns after the pass or after ``patience``; the pass continues.
    ///
    /// The call does not wait if the last pass timed out at a server.
    nonisolated func deliverSoon() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        Task {
            _ = try? await deliver()
            end.finish()
        }
        guard await !isHeldUp else { return }
        try? await withDeadline(Self.patience) { for await _ in ends {} }
    }

    /// Keeps the schedule of attempts during a time advance, regardless of whether servers respond.
    ///
    /// The notifier waits only once for a server that does not respond in time. Each further attempt at that server is recorded at its
    /// due time
    /// with the same outcome, so that an advance by weeks takes a moment and the attempts are the same as if the weeks had passed.
    ///
    /// - Parameter isContinued: Whether this call continues the previous advance, whose unresponsive servers are known.
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

    /// Joins the next pass that has not begun, which all callers until its start share: a caller waits for at most two passes.
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

    /// Cancels a pass for which no task waits.
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

    /// Sends one page, with one lane for each account's notifications.
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
                // An attempt that the store's own shutdown canceled is not evidence of an unresponsive server.
                try Task.checkCancellation()
                try await keep(result, of: notification, at: date)
                guard !result.isAnswer else { continue }
                // A server that refuses a connection at once can be tried again at once.
                let wasWaitedFor = ContinuousClock.now - start >= timeout / 2
                if wasWaitedFor || !isMoving { silent.insert(address, result, wasWaitedFor: wasWaitedFor) }
                guard isMoving else { return }
                break
            }
        }
    }

    /// Records the outcome of an attempt at `date`.
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
    /// The notifications of each account, in order; a notification without an account has its own lane.
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
