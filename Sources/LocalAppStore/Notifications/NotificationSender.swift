import FoundationExtras
import GRDB
import Logging
import PurchaseModel
import StoreProtocol

/// The actor that sends a store's due notifications to developers' servers, in one delivery pass at a time.
///
/// If the process ends during a delivery pass, the next process repeats its unrecorded attempts, so a server may receive a notification
/// twice. The notification's UUID identifies the duplicate.
actor NotificationSender {
    /// Posts the body of a notification to an address within a time-out, and returns the answer.
    typealias Post = @Sendable (_ body: String, _ address: NotificationAddress, _ timeout: Duration) async -> DeliveryAnswer

    /// The maximum number of notifications that are read from the database at once.
    private static let pageSize = 100
    /// The maximum number of accounts whose notifications are sent concurrently.
    private static let concurrentLaneLimit = 8
    /// The maximum time for which a control API request waits for the delivery of the notifications that it caused.
    private static let controlCallTimeout = Duration.seconds(5)

    private let context: StoreContext
    private let notifications: NotificationService
    private let events: EventService
    private let retries: NotificationRetries
    private let timeout: Duration
    private let post: Post
    private let logger: Logger
    /// The delivery pass that began last; nil if none has begun.
    private var running: DeliveryPass?
    /// The delivery pass that begins after ``running`` ends; nil if no caller requested one.
    private var following: DeliveryPass?
    private var count = 0
    /// The number of advances of the store's time that are in progress, and the servers that did not respond during them; nil if none is.
    private var timeAdvances: (count: Int, unresponsive: UnresponsiveServers)?
    /// The servers that did not respond during the last advance of the store's time, for a request that continues the advance.
    private var previousUnresponsiveServers: UnresponsiveServers?
    /// The servers that have not responded during the delivery pass in progress; nil if no pass is in progress.
    private var unresponsiveServersOfPass: UnresponsiveServers?
    /// Whether a server let a request time out in the last delivery pass.
    private(set) var isDelayedByServers = false

    private struct DeliveryPass {
        let number: Int
        let task: Task<Bool, any Error>
        /// The number of callers that wait for the end of the delivery pass.
        var waiters = 0
    }

    init(
        context: StoreContext, notifications: NotificationService, events: EventService, retries: NotificationRetries, timeout: Duration,
        post: @escaping Post, logger: Logger
    ) {
        self.context = context
        self.notifications = notifications
        self.events = events
        self.retries = retries
        self.timeout = timeout
        self.post = post
        self.logger = logger
    }

    /// Sends all due notifications, and returns when the delivery pass ends.
    ///
    /// The notifications of one account are sent in the order of their events; different accounts do not wait for each other. If a URL
    /// gives no response, the delivery pass sends nothing more to it, so that an unreachable server costs one time-out and not one for each
    /// notification. The notifications that were not sent stay due for the next delivery pass. During an advance of the store's time, the
    /// behavior differs; see ``duringTimeAdvance(isContinuation:_:)``.
    ///
    /// - Returns: Whether every notification URL that was used responded.
    @discardableResult
    func deliver() async throws -> Bool {
        guard context.apps.all.contains(where: \.row.hasNotificationURL) else { return true }
        let (number, task) = join()
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            Task { await cancelWaiting(number) }
        }
    }

    /// Sends all due notifications, and returns when the delivery pass ends, or after ``controlCallTimeout`` while the pass continues.
    ///
    /// The method returns immediately if a server let a request time out in the last delivery pass.
    ///
    /// - Returns: Whether the method waited.
    @discardableResult
    nonisolated func deliverSoon() async -> Bool {
        let (completions, completion) = AsyncStream.makeStream(of: Void.self)
        Task {
            _ = try? await deliver()
            completion.finish()
        }
        guard await !isDelayedByServers else { return false }
        try? await withDeadline(Self.controlCallTimeout) { for await _ in completions {} }
        return true
    }

    /// Runs a closure that advances the store's time, during which each attempt to send a notification happens at its due time.
    ///
    /// The sender waits only once for a server that does not respond in time. Each later attempt at that server is recorded at its due time
    /// with the same result, without a request. A wait that began before the advance counts, too. An advance by weeks therefore takes a
    /// moment, and the recorded attempts are the same as if the weeks had passed.
    ///
    /// - Parameter isContinuation: Whether the advance continues the previous one, whose unresponsive servers are not tried again.
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
        let known = timeAdvances?.unresponsive ?? (isContinuation ? previousUnresponsiveServers : nil) ?? unresponsiveServersOfPass
        timeAdvances = ((timeAdvances?.count ?? 0) + 1, known ?? UnresponsiveServers())
    }

    private func endTimeAdvance() {
        guard let (count, unresponsive) = timeAdvances else { return }
        timeAdvances = count > 1 ? (count - 1, unresponsive) : nil
        previousUnresponsiveServers = unresponsive
    }

    /// Returns the next delivery pass that has not begun, which all callers until its beginning share.
    ///
    /// A caller therefore waits for at most two delivery passes.
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

    /// Removes a caller that no longer waits for a delivery pass, and cancels the pass if no other caller waits for it.
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
        unresponsiveServersOfPass = unresponsive
        defer { unresponsiveServersOfPass = nil }
        let now = context.clock.now
        var position = OutboxPosition.beginning
        while case let page = try await notifications.outbox(after: position, at: now, limit: Self.pageSize), let last = page.last {
            position = last.position
            try await send(page.map(\.row), unresponsive, isAdvancing)
        }
        isDelayedByServers = unresponsive.causedTimeout
        return unresponsive.isEmpty
    }

    /// Sends a page of due notifications; different accounts' notifications are sent concurrently, and one account's in order.
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
                let url = context.apps[notification.bundleID]?.row.notificationURL(in: notification.environment),
                let address = NotificationAddress(url)
            else { continue }
            if let result = unresponsive.result(of: address, afterTimeout: isAdvancing) {
                guard isAdvancing else { return }
                var attempt = DeliveryAttempt(attemptDate: context.clock.now, sendAttemptResult: result)
                attempt.url = address.url
                try await record(attempt, of: notification)
                continue
            }
            for _ in 0..<min(max(notification.copies, 1), 2) {
                try Task.checkCancellation()
                let (date, start) = (context.clock.now, ContinuousClock.now)
                let answer = await post(body, address, timeout)
                let (result, duration) = (answer.result, ContinuousClock.now - start)
                // A request that is canceled because the store shuts down says nothing about the server, so the attempt is not recorded.
                try Task.checkCancellation()
                var attempt = DeliveryAttempt(attemptDate: date, sendAttemptResult: result)
                (attempt.url, attempt.status, attempt.response) = (address.url, answer.status, answer.body)
                attempt.milliseconds = Int64(duration / .milliseconds(1))
                try await record(attempt, of: notification)
                guard !result.isResponse else { continue }
                // A server that refuses the connection immediately is tried again for the next notification, because that takes no time.
                let timedOut = duration >= timeout / 2
                if timedOut || !isAdvancing { unresponsive.insert(address, result, timedOut: timedOut) }
                guard isAdvancing else { return }
                break
            }
        }
    }

    /// Records an attempt to send a notification, in the database and as an event.
    private nonisolated func record(_ attempt: DeliveryAttempt, of notification: NotificationRecord) async throws {
        let result = attempt.sendAttemptResult
        if result != .success {
            let metadata: Logger.Metadata = ["notificationUUID": "\(notification.uuid)", "result": "\(result.rawValue)"]
            logger.info("the developer's server did not accept a notification", metadata: metadata)
        }
        let pattern = NotificationRetries.pattern(version: notification.version, in: notification.environment, sandbox: retries)
        try await context.transaction { [events] db, now in
            guard var row = try NotificationRecord.first("uuid", notification.uuid, db) else { return }
            row.addAttempt(attempt, retries: pattern)
            try row.update(db)
            var event = row.event(.delivery, at: now, detail: "\(row.title) \(result.rawValue)")
            event.milliseconds = attempt.milliseconds
            try events.insertEvent(event, db)
        }
    }
}

extension [NotificationRecord] {
    /// The notifications in groups that are sent concurrently.
    ///
    /// Each account has one group, and each notification without an account has a group of its own.
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
