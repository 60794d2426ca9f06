import PurchaseTestSupport
import Testing

@testable import OpenStoreKit

/// The decisions when the work of a device runs.
@Suite struct WorkScheduleTests {
    typealias Event = WorkSchedule.Event
    typealias Action = WorkSchedule.Action

    /// An event, the actions that the schedule returns for it, and whether an account is signed in.
    struct Step: Sendable {
        let event: Event
        let actions: [Action]
        let isSignedIn: Bool

        init(_ event: Event, _ actions: Action..., signedIn: Bool = true) {
            self.event = event
            self.actions = actions
            isSignedIn = signedIn
        }
    }

    struct Scenario: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]

        init(_ promise: String, _ steps: Step...) {
            testDescription = promise
            self.steps = steps
        }
    }

    private static let ada = ApplicationUser("ada")
    private static let launched = Step(.launched(needsReceipt: false), .start(.watch), .start(.synchronization))
    private static let synchronized = Step(.workEnded(.synchronization), .start(.history), .start(.payments))
    private static let idle = Step(.workEnded(.payments), .reportWithheld)
    private static let stalled = Step(
        .workEnded(.payments, stalled: true), .releaseCalls, .scheduleRetry(attempt: 1), .reportWithheld)

    static let scenarios = [
        Scenario(
            "nothing runs before the launch",
            Step(.paymentsNeeded), Step(.changesRequested), Step(.changesAnnounced), Step(.historyNeeded), Step(.accountChanged)),
        Scenario("the launch synchronizes, and then sends payments", launched, synchronized, idle, Step(.workEnded(.history))),
        Scenario("a second launch has no effect", launched, Step(.launched(needsReceipt: true)), synchronized, idle),
        Scenario(
            "a receipt that may be outdated is fetched after the payments",
            Step(.launched(needsReceipt: true), .start(.watch), .start(.synchronization)), synchronized,
            Step(.workEnded(.payments), .start(.receipt)), Step(.workEnded(.receipt), .reportWithheld)),
        Scenario(
            "without an account, only payments are processed, which can ask for a sign-in",
            Step(.launched(needsReceipt: true), .start(.payments), signedIn: false),
            Step(.workEnded(.payments), .reportWithheld, signedIn: false),
            Step(.historyNeeded, signedIn: false),
            Step(.accountChanged, .start(.watch), .start(.synchronization))),
        Scenario(
            "payments that arrive during a step run after it, once",
            launched, Step(.paymentsNeeded), Step(.paymentsNeeded), synchronized, Step(.paymentsNeeded),
            Step(.workEnded(.payments), .start(.payments)), idle),
        Scenario(
            "announced changes do not delay the payments: the next synchronization comes after them",
            launched, Step(.changesAnnounced), synchronized, Step(.workEnded(.payments), .start(.synchronization)),
            Step(.workEnded(.synchronization), .reportWithheld), Step(.workEnded(.history), .start(.history))),
        Scenario(
            "a step that stalls is repeated after a delay",
            launched, Step(.workEnded(.synchronization, stalled: true), .releaseCalls, .scheduleRetry(attempt: 1), .reportWithheld),
            Step(.retryDue, .start(.synchronization)), synchronized, idle),
        Scenario(
            "each stalled attempt in a row increases the delay",
            launched, synchronized, stalled, Step(.retryDue, .start(.payments)),
            Step(.workEnded(.payments, stalled: true), .releaseCalls, .scheduleRetry(attempt: 2), .reportWithheld)),
        Scenario(
            "a completed pass resets the delay",
            launched, synchronized, stalled, Step(.retryDue, .start(.payments)), idle,
            Step(.paymentsNeeded, .start(.payments)), stalled),
        Scenario(
            "a payment ends the delay, and does not reset it",
            launched, synchronized, stalled, Step(.paymentsNeeded, .cancelRetry, .start(.payments)),
            Step(.workEnded(.payments, stalled: true), .releaseCalls, .scheduleRetry(attempt: 2), .reportWithheld)),
        Scenario(
            "an announced change ends the delay, and does not reset it",
            launched, synchronized, stalled, Step(.changesAnnounced, .cancelRetry, .start(.synchronization)),
            Step(.workEnded(.synchronization, stalled: true), .releaseCalls, .scheduleRetry(attempt: 2), .reportWithheld)),
        Scenario(
            "a request for changes ends the delay and resets it",
            launched, synchronized, stalled, Step(.changesRequested, .cancelRetry, .start(.synchronization)),
            Step(.workEnded(.synchronization, stalled: true), .releaseCalls, .scheduleRetry(attempt: 1), .reportWithheld)),
        Scenario(
            "a request for changes during a step that stalls repeats the pass at once, one time",
            launched, synchronized, Step(.changesRequested),
            Step(.workEnded(.payments, stalled: true), .releaseCalls, .start(.synchronization)),
            Step(.workEnded(.synchronization, stalled: true), .releaseCalls, .scheduleRetry(attempt: 1), .reportWithheld)),
        Scenario(
            "a delay that ends after it was canceled has no effect",
            launched, synchronized, stalled, Step(.paymentsNeeded, .cancelRetry, .start(.payments)), Step(.retryDue), idle, Step(.retryDue)),
        Scenario(
            "a receipt that can't be fetched is fetched by the next attempt",
            launched, synchronized, Step(.workEnded(.payments), .reportWithheld), Step(.receiptNeeded, .start(.payments)),
            Step(.workEnded(.payments), .start(.receipt)),
            Step(.workEnded(.receipt, stalled: true), .scheduleRetry(attempt: 1), .reportWithheld),
            Step(.retryDue, .start(.payments)), Step(.workEnded(.payments), .start(.receipt)),
            Step(.workEnded(.receipt), .reportWithheld)),
        Scenario(
            "a payment that is added while the receipt can't be stored is sent at once, and its purchase call waits",
            launched, synchronized, Step(.workEnded(.payments), .reportWithheld), Step(.receiptNeeded, .start(.payments)),
            Step(.workEnded(.payments), .start(.receipt)), Step(.paymentsNeeded),
            Step(.workEnded(.receipt, stalled: true), .start(.payments)), Step(.workEnded(.payments), .start(.receipt)),
            Step(.workEnded(.receipt, stalled: true), .scheduleRetry(attempt: 1), .reportWithheld)),
        Scenario(
            "an open sheet delays no synchronization, and the payments run again when it is closed",
            launched, synchronized, Step(.sheetNeeded, .start(.sheet)), idle, Step(.changesAnnounced, .start(.synchronization)),
            Step(.workEnded(.synchronization), .start(.payments)), idle, Step(.workEnded(.sheet), .start(.payments)), idle),
        Scenario(
            "a sheet is shown once, and again when another payment needs it",
            launched, synchronized, Step(.sheetNeeded, .start(.sheet)), Step(.sheetNeeded), Step(.workEnded(.sheet)),
            Step(.workEnded(.payments), .start(.payments)), Step(.sheetNeeded, .start(.sheet)), idle),
        Scenario(
            "a step that stalls while a sheet is open keeps the purchase calls, which wait for the user",
            launched, synchronized, Step(.sheetNeeded, .start(.sheet)), idle, Step(.changesAnnounced, .start(.synchronization)),
            Step(.workEnded(.synchronization, stalled: true), .scheduleRetry(attempt: 1), .reportWithheld),
            Step(.workEnded(.sheet), .cancelRetry, .start(.synchronization))),
        Scenario(
            "a sheet whose answer can't be written is shown again after a delay",
            launched, synchronized, Step(.sheetNeeded, .start(.sheet)), idle,
            Step(.workEnded(.sheet, stalled: true), .releaseCalls, .scheduleRetry(attempt: 1), .reportWithheld),
            Step(.retryDue, .start(.payments)), Step(.sheetNeeded, .start(.sheet))),
        Scenario(
            "a sheet whose answer can't be written during a step, or during a delay, is shown again after it",
            launched, synchronized, Step(.sheetNeeded, .start(.sheet)), Step(.workEnded(.sheet, stalled: true), .releaseCalls),
            Step(.workEnded(.payments), .start(.payments)), Step(.sheetNeeded, .start(.sheet)),
            Step(.workEnded(.payments, stalled: true), .scheduleRetry(attempt: 1), .reportWithheld),
            Step(.workEnded(.sheet, stalled: true), .releaseCalls), Step(.retryDue, .start(.payments))),
        Scenario(
            "a sheet can ask for a sign-in, which no synchronization precedes",
            Step(.launched(needsReceipt: false), .start(.payments), signedIn: false), Step(.sheetNeeded, .start(.sheet), signedIn: false),
            Step(.workEnded(.payments), .reportWithheld, signedIn: false),
            Step(.accountChanged, .start(.watch), .start(.synchronization)), Step(.workEnded(.sheet)), synchronized),
        Scenario(
            "the event stream of a refused session is closed, and that of the next session stays open",
            launched, synchronized, idle, Step(.sessionEnded, .cancel(.watch), signedIn: false), Step(.sessionEnded, signedIn: false),
            Step(.accountChanged, .start(.watch), .start(.synchronization)), Step(.sessionEnded)),
        Scenario(
            "a history update that is requested during one runs after it, once",
            launched, synchronized, Step(.historyNeeded), Step(.historyNeeded), Step(.workEnded(.history), .start(.history)),
            Step(.workEnded(.history))),
        Scenario(
            "another account gets its own event stream",
            launched, synchronized, idle, Step(.accountChanged, .cancel(.watch), .start(.watch), .start(.synchronization))),
        Scenario(
            "without an account, no event stream is open",
            launched, synchronized, idle, Step(.accountChanged, .cancel(.watch), .start(.payments), signedIn: false)),
        Scenario(
            "an event stream that has ended is opened again with the next synchronization",
            launched, synchronized, idle, Step(.workEnded(.watch)), Step(.changesRequested, .start(.watch), .start(.synchronization))),
        Scenario(
            "a restore starts before the launch, and a restore of the same purchases joins it",
            Step(.restoreRequested(nil), .start(.restore(nil))), Step(.restoreRequested(ada)), Step(.restoreRequested(nil)),
            Step(.workEnded(.restore(nil)))),
        Scenario(
            "a restore of other purchases waits for the running restore",
            Step(.restoreRequested(ada), .start(.restore(ada))), Step(.restoreRequested(nil)), Step(.restoreRequested(nil)),
            Step(.restoreRequested(ada)), Step(.workEnded(.restore(ada)), .start(.restore(nil))), Step(.workEnded(.restore(nil)))),
        Scenario(
            "after the end, nothing runs",
            launched, Step(.restoreRequested(nil), .start(.restore(nil))), Step(.restoreRequested(ada)), Step(.ended),
            Step(.workEnded(.synchronization)), Step(.workEnded(.restore(nil))), Step(.retryDue), Step(.changesRequested),
            Step(.accountChanged)),
    ]

    @Test(arguments: scenarios)
    func `work runs when it is needed`(_ scenario: Scenario) {
        var schedule = WorkSchedule()
        for (number, step) in scenario.steps.enumerated() {
            let actions = schedule.handle(step.event, isSignedIn: step.isSignedIn)
            #expect(actions == step.actions, "step \(number): \(step.event)")
        }
    }

    @Test func `the store counts as unreachable while the third attempt in a row waits`() {
        var schedule = WorkSchedule()
        _ = schedule.handle(.launched(needsReceipt: false), isSignedIn: false)
        for attempt in 1...3 {
            #expect(!schedule.isStoreUnreachable)
            _ = schedule.handle(.workEnded(.payments, stalled: true), isSignedIn: false)
            #expect(schedule.isStoreUnreachable == (attempt == 3))
            if attempt < 3 { _ = schedule.handle(.retryDue, isSignedIn: false) }
        }
        _ = schedule.handle(.changesRequested, isSignedIn: false)
        #expect(!schedule.isStoreUnreachable)
    }

    @Test func `no two steps and no two works of one kind run at the same time, whatever happens`() {
        let seed: UInt64 = 20_261_123
        print("random schedules: seed \(seed)")
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            var schedule = WorkSchedule()
            var running: Set<WorkSchedule.Work> = []
            var isWaiting = false
            var started = 0
            for _ in 0..<200 {
                let endings: [Event] = running.flatMap { work -> [Event] in
                    work.isStep || work == .sheet ? [.workEnded(work), .workEnded(work, stalled: true)] : [.workEnded(work)]
                }
                let others: [Event] = [
                    .launched(needsReceipt: true), .paymentsNeeded, .receiptNeeded, .historyNeeded, .changesAnnounced, .changesRequested,
                    .restoreRequested(nil), .restoreRequested(Self.ada), .accountChanged, .sessionEnded,
                ]
                let sheets: [Event] = running.contains(.payments) ? [.sheetNeeded] : []
                let events = endings + others + sheets + (isWaiting ? [.retryDue] : [])
                guard let event = events.randomElement(using: &random) else { return }
                if case .workEnded(let work, _) = event { running.remove(work) }
                if event == .retryDue { isWaiting = false }
                for action in schedule.handle(event, isSignedIn: Bool.random(using: &random)) {
                    switch action {
                    case .start(let work):
                        started += 1
                        #expect(running.insert(work).inserted)
                        #expect(running.filter(\.isStep).count <= 1)
                        #expect(running.filter { if case .restore = $0 { true } else { false } }.count <= 1)
                        #expect(!(work.isStep && isWaiting))
                    case .cancel(let work):
                        #expect(running.remove(work) != nil)
                    case .scheduleRetry(let attempt):
                        #expect(attempt > 0 && !isWaiting)
                        isWaiting = true
                    case .cancelRetry:
                        #expect(isWaiting)
                        isWaiting = false
                    case .releaseCalls, .reportWithheld:
                        break
                    }
                }
            }
            #expect(started > 20)
        }
    }
}
