import PurchaseTestSupport
import Testing

@testable import PurchaseModel
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the decisions of a reconciliation: which windows to request, and which purchases to look up.
@Suite struct ReconciliationPlanTests {
    private static let now = Timestamp.testStart
    private static let earliest = now.adding(days: -180).adding(seconds: 3_600)

    private static func entitlement(_ state: Entitlement.State, _ type: ProductType? = .autoRenewable) -> Entitlement {
        Entitlement(
            originalTransactionID: "1", productID: .magazine, state: state, source: "test", signedDate: now, transactionID: "1",
            purchaseDate: now.adding(days: -30), productType: type, environment: "Sandbox")
    }

    /// Returns the windows of a run that is not interrupted.
    private static func windows(_ progress: inout ReconciliationProgress, since: Timestamp? = nil) -> [HistoryWindow] {
        progress.begin(since: since, at: now)
        var windows: [HistoryWindow] = []
        while let window = progress.window {
            windows.append(window)
            progress.finishWindow(until: now)
        }
        return windows
    }

    private static let gaps: [(Timestamp?, since: Timestamp?, start: Timestamp, count: Int)] = [
        (nil, nil, earliest, 26), (now.adding(days: -1), nil, now.adding(days: -1).adding(seconds: -3_600), 1),
        (now.adding(days: -8), nil, now.adding(days: -8).adding(seconds: -3_600), 2),
        (now.adding(days: -400), nil, earliest, 26), (now.adding(days: 5), nil, now.adding(seconds: -3_600), 1),
        (now.adding(days: -1), now.adding(days: -3), now.adding(days: -3).adding(seconds: -3_600), 1),
        (now.adding(days: -3), now.adding(days: -1), now.adding(days: -3).adding(seconds: -3_600), 1),
        (now.adding(days: -1), now.adding(days: -999), earliest, 26),
    ]

    @Test(arguments: gaps)
    func `the windows of a run cover everything since the last complete run without gaps`(
        _ complete: Timestamp?, _ since: Timestamp?, _ start: Timestamp, _ count: Int
    ) {
        var progress = ReconciliationProgress(environment: .sandbox, completeUntil: complete)
        let windows = Self.windows(&progress, since: since)
        #expect(windows.first?.start == start && windows.count == count)
        #expect(windows.last?.end == Self.now)
        for (window, next) in zip(windows, windows.dropFirst()) { #expect(window.end == next.start && window.requestedEnd == window.end) }
        #expect(windows.last?.requestedEnd == Self.now.adding(days: 365))
        #expect(progress.completeUntil == Self.now && progress.window == nil)
    }

    @Test func `an unverified notification leaves the date where it is, and later windows are read nevertheless`() {
        var progress = ReconciliationProgress(environment: .sandbox, completeUntil: Self.now.adding(days: -20))
        progress.begin(at: Self.now)
        progress.finishWindow(until: Self.now)
        let reached = progress.window?.start
        progress.window?.isVerified = false
        progress.finishWindow(until: Self.now)
        #expect(progress.window?.end == Self.now)
        progress.finishWindow(until: Self.now)
        #expect(progress.window == nil && progress.completeUntil == reached)
    }

    @Test func `a run continues in the window of the previous run, unless the App Store has deleted it`() {
        let window = HistoryWindow(
            start: Self.now.adding(days: -2), end: Self.now.adding(days: -1), requestedEnd: Self.now, paginationToken: "token")
        var progress = ReconciliationProgress(environment: .sandbox, completeUntil: Self.now.adding(days: -2), window: window)
        progress.begin(at: Self.now)
        #expect(progress.window == window)
        progress.finishWindow(until: Self.now)
        #expect(progress.window?.start == window.end && progress.window?.end == Self.now)
        progress.window = window
        progress.begin(at: Self.now.adding(days: 200))
        #expect(progress.window?.start == Self.now.adding(days: 20).adding(seconds: 3_600) && progress.window?.paginationToken == nil)
    }

    private static let states: [(Entitlement.State, ProductType?, days: Int64?)] = [
        (.active(until: now.adding(days: 3)), .autoRenewable, 3), (.gracePeriod(until: now), .autoRenewable, 1),
        (.billingRetry, .autoRenewable, 1), (.expired, .autoRenewable, 1), (.active(until: now), nil, 0), (.owned, .nonConsumable, -23),
        (.owned, .consumable, -23), (.revoked, .autoRenewable, 1), (.active(until: now), .nonRenewing, nil),
    ]

    @Test(arguments: states)
    func `a purchase is looked up when an event of it can be missing`(_ state: Entitlement.State, _ type: ProductType?, _ days: Int64?) {
        let lookup = PurchaseLookup(of: Self.entitlement(state, type))
        #expect(lookup?.dueAt == days.map { Self.now.adding(days: $0) })
    }

    private static let pauses: [(days: Int64, seconds: Int64?)] = [
        (0, 3_600), (2, 3_600), (3, 86_400), (64, 86_400), (65, 30 * 86_400), (364, 30 * 86_400), (365, nil),
    ]

    @Test(arguments: pauses)
    func `a purchase that does not change is looked up less and less often`(_ days: Int64, _ pause: Int64?) {
        let last = Self.now.adding(days: days).adding(seconds: 1)
        let lookup = PurchaseLookup(of: Self.entitlement(.active(until: Self.now)), after: last)
        #expect(lookup?.dueAt == pause.map { last.adding(seconds: $0) })
    }

    private static let retries: [(Entitlement.State, days: Int64, pause: Int64)] = [
        (.billingRetry, 94, 1), (.gracePeriod(until: now), 94, 1), (.billingRetry, 96, 30), (.expired, 94, 30),
    ]

    @Test(arguments: retries)
    func `a failed renewal is looked up each day as long as the App Store can retry the charge of a commitment`(
        _ state: Entitlement.State, _ days: Int64, _ pause: Int64
    ) {
        let last = Self.now.adding(days: days + 1).adding(seconds: 1)
        #expect(PurchaseLookup(of: Self.entitlement(state), after: last)?.dueAt == last.adding(days: pause))
    }

    private static let refunds: [(Entitlement.State, last: Int64, due: Int64?)] = [
        (.owned, -24, -23), (.owned, -23, 0), (.owned, 0, 60), (.owned, 60, nil), (.revoked, 0, 1), (.revoked, 1, nil),
    ]

    @Test(arguments: refunds)
    func `a purchase that does not renew is looked up after 7, 30 and 90 days, and a refunded one once`(
        _ state: Entitlement.State, _ last: Int64, _ due: Int64?
    ) {
        let lookup = PurchaseLookup(of: Self.entitlement(state, .consumable), after: Self.now.adding(days: last))
        #expect(lookup?.dueAt == due.map { Self.now.adding(days: $0) })
    }

    private static let outcomes: [(ReconciliationReport.Outcome?, hours: Int, seconds: Int64)] = [
        (.complete, 6, 21_600), (.refused, 6, 21_600), (.unavailable, 6, 300), (.rateLimited, 6, 300), (.requestLimit, 1, 300),
        (.indeterminate, 1, 300), (nil, 1, 300),
    ]

    @Test(arguments: outcomes)
    func `an incomplete run is continued soon`(_ outcome: ReconciliationReport.Outcome?, _ hours: Int, _ seconds: Int64) {
        #expect(ReconciliationSchedule.pause(after: outcome, hours: hours) == .seconds(seconds))
    }
}
