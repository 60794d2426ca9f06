import DequeModule

/// The state machine that decides when the work of a device runs.
///
/// Synchronization, payments and the receipt are the steps of a *pass*: at most one step runs at a time, in this order, around and around
/// until no step is needed. A step that stalls ends the pass, which is repeated after a delay, or at once when work is requested. The other
/// kinds of work run beside the pass, such as the sheet of a payment, whose user may take any time. The schedule uses no clock and starts
/// no task: it accepts events and returns actions.
struct WorkSchedule: Sendable {
    /// A kind of work; no kind runs twice at the same time.
    enum Work: Hashable, Sendable {
        /// A step of the pass: fetch the unfinished transactions from the store.
        case synchronization
        /// A step of the pass: send the payments and the finished transactions to the store, as far as possible without the user.
        case payments
        /// A step of the pass: fetch the receipt.
        case receipt
        /// Show the sheet that a payment needs, and wait for the user's answer.
        case sheet
        /// Fetch the changes of the account's history.
        case history
        /// Listen to the store's event stream.
        case watch
        /// Restore the purchases of a user, or all purchases for nil.
        case restore(ApplicationUser?)
    }

    /// An event that changes what has to run.
    enum Event: Hashable, Sendable {
        /// The app has launched the payment queue; `needsReceipt` states whether the receipt may be older than a transaction in the queue.
        case launched(needsReceipt: Bool)
        /// The engine has ended; nothing runs from then on.
        case ended
        /// A payment needs the user or the store.
        case paymentsNeeded
        /// A payment needs a sheet; the payment waits until the sheet is closed.
        case sheetNeeded
        /// The receipt on the device is older than a transaction.
        case receiptNeeded
        /// The account's history may have changed.
        case historyNeeded
        /// The store has announced a change.
        case changesAnnounced
        /// The app or the user asks for the changes now; the store may be available again.
        case changesRequested
        /// The app requests a restore for a user, or for all purchases.
        case restoreRequested(ApplicationUser?)
        /// An account has signed in or out.
        case accountChanged
        /// The store has refused the session, so that an account must sign in again.
        case sessionEnded
        /// Work has ended; a step or a sheet stalls if the store can't be reached or the journal can't be written.
        case workEnded(Work, stalled: Bool = false)
        /// The delay before the next attempt is over.
        case retryDue
    }

    /// An action that the schedule requests.
    enum Action: Hashable, Sendable {
        case start(Work)
        case cancel(Work)
        /// Send ``Event/retryDue`` after the delay for this attempt, from 1.
        case scheduleRetry(attempt: Int)
        case cancelRetry
        /// End the waiting purchase calls, because the store can't be reached.
        case releaseCalls
        /// Report the transactions that no payment of this pass has received.
        case reportWithheld
    }

    private static let steps: [Work] = [.synchronization, .payments, .receipt]

    private var isLaunched = false
    private var hasEnded = false
    /// The steps of the pass, and the history, that are needed and do not run.
    private var needed: Set<Work> = []
    /// The step of the pass that runs.
    private var step: Work?
    /// Whether a stalled pass is repeated without a delay, because changes were requested during the running step.
    private var repeatsAtOnce = false
    private var attempt = 0
    private var isWaitingToRetry = false
    private var isShowingSheet = false
    private var isUpdatingHistory = false
    private var isWatching = false
    private var restoring: Work?
    /// The restores that wait for the end of the running restore.
    private var waitingRestores: Deque<ApplicationUser?> = []

    /// Whether the last three attempts to reach the store have failed.
    var isStoreUnreachable: Bool { isWaitingToRetry && attempt >= 3 }

    /// Handles an event, and returns the actions to carry out in order.
    ///
    /// - Parameter isSignedIn: Whether an account is signed in now.
    mutating func handle(_ event: Event, isSignedIn: Bool) -> [Action] {
        guard !hasEnded else { return [] }
        switch event {
        case .launched(let needsReceipt):
            guard !isLaunched else { return [] }
            isLaunched = true
            if needsReceipt { needed.insert(.receipt) }
            return need(.synchronization, isSignedIn) + startWatch(isSignedIn)
        case .ended:
            hasEnded = true
            return []
        case .paymentsNeeded:
            return need(.payments, isSignedIn)
        case .sheetNeeded:
            guard !isShowingSheet else { return [] }
            isShowingSheet = true
            return [.start(.sheet)]
        case .receiptNeeded:
            return need(.receipt, isSignedIn)
        case .historyNeeded:
            return needHistory(isSignedIn)
        case .changesAnnounced:
            return need(.synchronization, isSignedIn)
        case .changesRequested:
            attempt = 0
            repeatsAtOnce = step != nil
            return need(.synchronization, isSignedIn)
        case .restoreRequested(let user):
            return requestRestore(user)
        case .accountChanged:
            return stopWatch() + need(.synchronization, isSignedIn) + startWatch(isSignedIn)
        case .sessionEnded:
            // The event can arrive after the next sign-in, which has opened another event stream.
            return isSignedIn ? [] : stopWatch()
        case .workEnded(let work, let stalled):
            return workEnded(work, stalled, isSignedIn)
        case .retryDue:
            guard isWaitingToRetry else { return [] }
            isWaitingToRetry = false
            return need(.payments, isSignedIn)
        }
    }

    // MARK: - The pass

    private mutating func need(_ work: Work, _ isSignedIn: Bool) -> [Action] {
        needed.insert(work)
        // Each pass looks at the payments, which are cheap to look at when none is open.
        needed.insert(.payments)
        guard isLaunched, step == nil else { return [] }
        let cancel: [Action] = isWaitingToRetry ? [.cancelRetry] : []
        isWaitingToRetry = false
        return cancel + startNextStep(isSignedIn)
    }

    /// Starts the next step that is needed, or ends the pass.
    ///
    /// - Parameter last: The step that has ended; the steps after it come first, so that no step has to wait while another is needed again
    ///   and again. Nil to begin a new pass.
    private mutating func startNextStep(after last: Work? = nil, _ isSignedIn: Bool) -> [Action] {
        repeatsAtOnce = false
        let next = last.flatMap { Self.steps.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        // Without an account, only a payment has a reason to ask the user to sign in.
        step = (Self.steps[next...] + Self.steps[..<next]).first { needed.contains($0) && (isSignedIn || $0 == .payments) }
        guard let step else {
            attempt = 0
            return [.reportWithheld]
        }
        needed.remove(step)
        return (step == .synchronization ? startWatch(isSignedIn) : []) + [.start(step)]
    }

    private mutating func workEnded(_ work: Work, _ stalled: Bool, _ isSignedIn: Bool) -> [Action] {
        switch work {
        case .synchronization, .payments, .receipt:
            guard !stalled else { return stall(work, isSignedIn) }
            step = nil
            // The history comes after the synchronization, and does not report transactions that are in the queue.
            let history = work == .synchronization ? needHistory(isSignedIn) : []
            return history + startNextStep(after: work, isSignedIn)
        case .sheet:
            isShowingSheet = false
            return stalled ? stallSheet() : need(.payments, isSignedIn)
        case .history:
            isUpdatingHistory = false
            return needed.contains(.history) ? needHistory(isSignedIn) : []
        case .watch:
            isWatching = false
            return []
        case .restore:
            restoring = nil
            return waitingRestores.popFirst().map { requestRestore($0) } ?? []
        }
    }

    private mutating func stall(_ work: Work, _ isSignedIn: Bool) -> [Action] {
        step = nil
        // A receipt that can't be verified or stored does not mean that the store can't be reached, so work that was requested meanwhile is
        // tried, and purchase calls wait for it.
        let isReceipt = work == .receipt
        let wasRequested = !needed.isEmpty
        needed.formUnion([work, .payments])
        if isReceipt, wasRequested { return startNextStep(after: work, isSignedIn) }
        // While a sheet is open, the user has not answered, and the purchase calls wait for the answer.
        let release: [Action] = isReceipt || isShowingSheet ? [] : [.releaseCalls]
        guard !repeatsAtOnce else { return release + startNextStep(isSignedIn) }
        attempt += 1
        isWaitingToRetry = true
        return release + [.scheduleRetry(attempt: attempt), .reportWithheld]
    }

    /// Repeats the payments after a sheet whose answer had no effect: after the running step, or after a delay.
    private mutating func stallSheet() -> [Action] {
        needed.insert(.payments)
        guard step == nil, !isWaitingToRetry else { return [.releaseCalls] }
        attempt += 1
        isWaitingToRetry = true
        return [.releaseCalls, .scheduleRetry(attempt: attempt), .reportWithheld]
    }

    // MARK: - Beside the pass

    private mutating func needHistory(_ isSignedIn: Bool) -> [Action] {
        needed.insert(.history)
        guard isLaunched, isSignedIn, !isUpdatingHistory else { return [] }
        needed.remove(.history)
        isUpdatingHistory = true
        return [.start(.history)]
    }

    private mutating func startWatch(_ isSignedIn: Bool) -> [Action] {
        guard isLaunched, isSignedIn, !isWatching else { return [] }
        isWatching = true
        return [.start(.watch)]
    }

    private mutating func stopWatch() -> [Action] {
        defer { isWatching = false }
        return isWatching ? [.cancel(.watch)] : []
    }

    /// Starts a restore, or joins the running restore if it includes the requested purchases; otherwise the request waits.
    private mutating func requestRestore(_ user: ApplicationUser?) -> [Action] {
        if case .restore(let running) = restoring {
            if running != nil, running != user, !waitingRestores.contains(user) { waitingRestores.append(user) }
            return []
        }
        let work = Work.restore(user)
        restoring = work
        return [.start(work)]
    }
}
