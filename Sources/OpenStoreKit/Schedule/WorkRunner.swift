import DequeModule

/// Carries out the actions of ``WorkSchedule``: starts and cancels the tasks of a device's work, and waits between attempts.
///
/// The engine owns the runner and performs the work itself.
final class WorkRunner {
    private struct Running {
        let number: Int
        let task: Task<Void, Never>
    }

    /// The engine that performs the work; nil after its deallocation.
    weak var engine: PaymentEngine?
    private let session: StoreSession
    private let calls: PurchaseCalls
    private let updates: TransactionUpdates
    private let retryPolicy: RetryPolicy
    private let clock: any Clock<Duration>
    private var schedule = WorkSchedule()
    private var running: [WorkSchedule.Work: Running] = [:]
    private var retry: Task<Void, Never>?
    /// The number of times that work was started.
    private(set) var startedWork = 0
    /// The events that wait until the actions of earlier events are carried out.
    private var events: Deque<WorkSchedule.Event> = []
    private var isHandling = false

    init(
        session: StoreSession, calls: PurchaseCalls, updates: TransactionUpdates, retryPolicy: RetryPolicy, clock: any Clock<Duration>
    ) {
        self.session = session
        self.calls = calls
        self.updates = updates
        self.retryPolicy = retryPolicy
        self.clock = clock
    }

    /// Whether the last three attempts to reach the store have failed.
    var isStoreUnreachable: Bool { schedule.isStoreUnreachable }

    /// Passes an event to the schedule, and carries out the actions.
    func handle(_ event: WorkSchedule.Event) {
        events.append(event)
        // An action can cause an event, which is handled after the remaining actions.
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        while let event = events.popFirst() {
            let actions = schedule.handle(event, isSignedIn: session.isSignedIn)
            for action in actions { carryOut(action) }
        }
    }

    private func carryOut(_ action: WorkSchedule.Action) {
        switch action {
        case .start(let work):
            start(work)
        case .cancel(let work):
            running.removeValue(forKey: work)?.task.cancel()
        case .scheduleRetry(let attempt):
            scheduleRetry(attempt)
        case .cancelRetry:
            retry?.cancel()
            retry = nil
        case .releaseCalls:
            calls.release()
        case .reportWithheld:
            updates.reportWithheld()
        }
    }

    /// Records that work with this number has ended, unless it was canceled.
    func workEnded(_ work: WorkSchedule.Work, number: Int, stalled: Bool) {
        guard running[work]?.number == number else { return }
        running[work] = nil
        handle(.workEnded(work, stalled: stalled))
    }

    /// Cancels all work; nothing is started from then on.
    func end() {
        handle(.ended)
        for work in running.values { work.task.cancel() }
        retry?.cancel()
    }

    /// Waits until no work of these kinds runs, nor work that follows it.
    func wait(while isIncluded: (WorkSchedule.Work) -> Bool) async {
        while let task = running.first(where: { isIncluded($0.key) })?.value.task { await task.value }
    }

    /// Starts work in a detached task, because task-local values of the caller, such as its device or a user gesture, do not apply to it.
    private func start(_ work: WorkSchedule.Work) {
        startedWork += 1
        let number = startedWork
        running[work] = Running(number: number, task: Task.detached { [weak engine] in await engine?.perform(work, number: number) })
    }

    private func scheduleRetry(_ attempt: Int) {
        let delay = retryPolicy.delay(beforeAttempt: attempt)
        retry = Task.detached { [weak engine, clock] in
            try? await clock.sleep(for: delay)
            guard !Task.isCancelled else { return }
            await engine?.retryDue()
        }
    }
}

extension WorkSchedule.Work {
    /// Whether the work is a step of the pass.
    var isStep: Bool {
        switch self {
        case .synchronization, .payments, .receipt: true
        case .sheet, .history, .watch, .restore: false
        }
    }
}
