import GRDB
import Logging
import PurchaseModel
import PurchaseProtocol

/// Sends the pending notifications to the developers' servers, one delivery pass at a time.
///
/// A delivery pass that the end of the process interrupts is repeated, so a server may receive a notification twice; the
/// notification's UUID identifies the duplicate.
actor Notifier {
    /// The maximum number of notifications in memory.
    private static let pageSize = 100
    /// The maximum number of accounts whose notifications are sent concurrently.
    private static let concurrentLaneLimit = 8
    /// The time for which a request waits for the notifications that it caused.
    private static let controlCallTimeout = Duration.seconds(5)

    private let ledger: StoreLedger
    private let retries: NotificationRetries
    private let timeout: Duration
    private let logger: Logger
    /// The newest delivery pass that has begun.
    private var running: DeliveryPass?
    /// The delivery pass that begins after the running delivery pass.
    private var following: DeliveryPass?
    private var count = 0
    /// The number of time advances in progress, and the servers that did not respond during them.
    private var timeAdvances: (count: Int, unresponsive: UnresponsiveServers)?
    /// The servers that did not respond during the last time advance, for the continuation of that advance.
    private var previousUnresponsiveServers: UnresponsiveServers?
    /// Whether the last delivery pass timed out at a server.
    private(set) var isDelayedByServers = false

    private struct DeliveryPass {
        let number: Int
        let task: Task<Bool, any Error>
        /// The number of tasks that wait for the end of the delivery pass.
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
    /// Accounts do not wait for each other, and the notifications of one account are sent in the order of their events. After a URL
    /// gives no response, the delivery pass sends nothing more to that URL, so that an unreachable server costs one time-out and not
    /// one for each notification; notifications without an attempt stay due for the next delivery pass. ``duringTimeAdvance(_:)``
    /// behaves differently.
    ///
    /// - Returns: Whether every URL responded.
    @discardableResult
    func deliver() async throws -> Bool {
        guard ledger.apps.all.contains(where: \.row.hasNotificationURL) else { return true }
        let (number, task) = join()
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            Task { await cancelWaiting(number) }
        }
    }

    /// Sends every due notification, and returns after the delivery pass or after ``controlCallTimeout``; the delivery pass continues.
    ///
    /// The call does not wait if the last delivery pass timed out at a server.
    nonisolated func deliverSoon() async {
        let (completions, completion) = AsyncStream.makeStream(of: Void.self)
        Task {
            _ = try? await deliver()
            completion.finish()
        }
        guard await !isDelayedByServers else { return }
        try? await withDeadline(Self.controlCallTimeout) { for await _ in completions {} }
    }

    /// Keeps the schedule of attempts during a time advance, regardless of whether servers respond.
    ///
    /// The notifier waits only once for a server that does not respond in time. Each further attempt at that server is recorded at its
    /// due time with the same outcome, so that an advance by weeks takes a moment and the attempts are the same as if the weeks had
    /// passed.
    ///
    /// - Parameter isContinued: Whether this call continues the previous advance, whose unresponsive servers are known.
    nonisolated func duringTimeAdvance<Value: Sendable>(
        isContinuation: Bool = false, _ advance: () async throws -> Value
    ) async throws -> Value {
        await beginTimeAdvance(isContinuation: isContinuation)
        do {
            let value = try await advance()
            await endTimeAdvance()
            return value
        } catch {
            await endTimeAdvance()
            throw error
        }
    }

    private func beginTimeAdvance(isContinuation: Bool) {
        let known = timeAdvances?.unresponsive ?? (isContinuation ? previousUnresponsiveServers : nil)
        timeAdvances = ((timeAdvances?.count ?? 0) + 1, known ?? UnresponsiveServers())
    }

    private func endTimeAdvance() {
        guard let (count, unresponsive) = timeAdvances else { return }
        timeAdvances = count > 1 ? (count - 1, unresponsive) : nil
        previousUnresponsiveServers = unresponsive
    }

    /// Joins the next delivery pass that has not begun, which all callers until its start share: a caller waits for at most two passes.
    private func join() -> (number: Int, task: Task<Bool, any Error>) {
        var deliveryPass = following ?? makeDeliveryPass()
        deliveryPass.waiters += 1
        following = deliveryPass
        return (deliveryPass.number, deliveryPass.task)
    }

    private func makeDeliveryPass() -> DeliveryPass {
        count += 1
        let (number, previous) = (count, running?.task)
        let task = Task {
            _ = await previous?.result
            begin(number)
            return try await sendDueNotifications()
        }
        return DeliveryPass(number: number, task: task)
    }

    private func begin(_ number: Int) {
        guard let deliveryPass = following, deliveryPass.number == number else { return }
        (running, following) = (deliveryPass, nil)
    }

    /// Cancels a delivery pass for which no task waits.
    private func cancelWaiting(_ number: Int) {
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

    private func sendDueNotifications() async throws -> Bool {
        let (unresponsive, isAdvancing) = (timeAdvances?.unresponsive ?? UnresponsiveServers(), timeAdvances != nil)
        let now = ledger.clock.now
        var position = OutboxPosition.beginning
        while case let page = try await ledger.outbox(after: position, at: now, limit: Self.pageSize), let last = page.last {
            position = last.position
            try await send(page.map(\.row), unresponsive, isAdvancing)
        }
        isDelayedByServers = unresponsive.causedTimeout
        return unresponsive.isEmpty
    }

    /// Sends one page, with one lane for each account's notifications.
    private func send(_ page: [NotificationRecord], _ unresponsive: UnresponsiveServers, _ isAdvancing: Bool) async throws {
        var remainingLanes = page.lanes[...]
        try await withThrowingTaskGroup { group in
            for lane in remainingLanes.prefix(Self.concurrentLaneLimit) {
                group.addTask { try await self.send(lane: lane, unresponsive, isAdvancing) }
            }
            remainingLanes = remainingLanes.dropFirst(Self.concurrentLaneLimit)
            while try await group.next() != nil {
                guard let lane = remainingLanes.popFirst() else { continue }
                group.addTask { try await self.send(lane: lane, unresponsive, isAdvancing) }
            }
        }
    }

    private nonisolated func send(lane: [NotificationRecord], _ unresponsive: UnresponsiveServers, _ isAdvancing: Bool) async throws {
        for notification in lane {
            guard let body = notification.sentBody,
                let url = ledger.apps[notification.bundleID]?.row.notificationURL(in: notification.environment),
                let address = NotificationAddress(url)
            else { continue }
            if let result = unresponsive.result(of: address) {
                guard isAdvancing else { return }
                try await recordAttempt(result, of: notification, at: ledger.clock.now)
                continue
            }
            for _ in 0..<min(max(notification.copies, 1), 2) {
                try Task.checkCancellation()
                let (date, start) = (ledger.clock.now, ContinuousClock.now)
                let result = await address.post(body, within: timeout)
                // An attempt that the store's own shutdown canceled is not evidence of an unresponsive server.
                try Task.checkCancellation()
                try await recordAttempt(result, of: notification, at: date)
                guard !result.isResponse else { continue }
                // A server that refuses a connection at once can be tried again at once.
                let timedOut = ContinuousClock.now - start >= timeout / 2
                if timedOut || !isAdvancing { unresponsive.insert(address, result, timedOut: timedOut) }
                guard isAdvancing else { return }
                break
            }
        }
    }

    /// Records the outcome of an attempt at `date`.
    private nonisolated func recordAttempt(_ result: SendAttemptResult, of notification: NotificationRecord, at date: Timestamp)
        async throws
    {
        if result != .success {
            let metadata: Logger.Metadata = ["notificationUUID": "\(notification.uuid)", "result": "\(result.rawValue)"]
            logger.info("notification not delivered", metadata: metadata)
        }
        let pattern = NotificationRetries.pattern(version: notification.version, in: notification.environment, sandbox: retries)
        try await ledger.write { [ledger] db, now in
            guard var row = try NotificationRecord.first("uuid", notification.uuid, db) else { return }
            row.addAttempt(result, at: date, retries: pattern)
            try row.update(db)
            try ledger.insertEvent(row.event(.delivery, at: now, detail: "\(row.title) \(result.rawValue)"), db)
        }
    }
}

extension [NotificationRecord] {
    /// The notifications of each account, in order; a notification without an account has its own lane.
    fileprivate var lanes: [[NotificationRecord]] {
        var lanes: [[NotificationRecord]] = []
        var positions: [AccountID: Int] = [:]
        for row in self {
            guard let account = row.account else {
                lanes.append([row])
                continue
            }
            if let position = positions[account] {
                lanes[position].append(row)
            } else {
                positions[account] = lanes.count
                lanes.append([row])
            }
        }
        return lanes
    }
}
