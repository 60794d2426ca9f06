import Foundation
import GRDB
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing

@testable import LocalAppStore

/// The tests of the service that processes due events, without its interval of one second.
@Suite struct TickerTests {
    /// Processes the stores that have work until none is left, and returns how often a store was processed.
    @discardableResult
    private static func settle(_ work: StoreWorkQueue) async -> Int {
        let ticker = StoreTicker(work: work, logger: .silent)
        var count = 0
        while case let stores = work.begin(), !stores.isEmpty, count < 1_000 {
            for store in stores { await ticker.process(store) }
            count += stores.count
        }
        return count
    }

    /// Returns the seconds until the next renewal.
    private static func secondsUntilRenewal(_ harness: StoreHarness) async throws -> Int64 {
        let date = try await harness.store.context.read { db in try SubscriptionRecord.fetchOne(db)?.nextRenewalDate }
        return (try #require(date).milliseconds - harness.store.clock.now.milliseconds) / 1_000
    }

    private static func renewals(_ harness: StoreHarness) async throws -> Int {
        try await harness.store.context.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM transactions WHERE kind = 'renewal'") ?? 0
        }
    }

    @Test func `an idle host accesses no database`() async throws {
        let clock = ManualClock()
        let configuration = LocalAppStoreConfiguration(bundleID: .test, catalog: .empty, database: .memory)
        let first = try await LocalAppStore(configuration: configuration, clock: clock, logger: .silent) { _ in
            TestAuthority.shared.authority
        }
        var stores = [first]
        for _ in 1..<100 {
            stores.append(
                try await LocalAppStore(configuration: configuration, clock: clock, logger: .silent) { _ in
                    TestAuthority.shared.authority
                })
        }
        let work = StoreWorkQueue(stores)
        #expect(await Self.settle(work) == 100)
        let statements = Mutex(0)
        let count: @Sendable () -> Void = { statements.withLock { $0 += 1 } }
        for store in stores {
            try await store.context.read { db in db.trace { _ in count() } }
        }
        for _ in 0..<60 {
            clock.advance(seconds: 1)
            #expect(await Self.settle(work) == 0)
        }
        #expect(statements.withLock { $0 } == 0)
        _ = try await first.storeServices.accounts.accounts()
        #expect(statements.withLock { $0 } > 0)
    }

    @Test func `a renewal is processed at its date and not before`() async throws {
        let clock = ManualClock()
        try await StoreHarness.run(clock: clock) { harness in
            _ = try await harness.signIn().buy(.magazine)
            let work = StoreWorkQueue([harness.store])
            await Self.settle(work)
            clock.advance(seconds: try await Self.secondsUntilRenewal(harness) - 1)
            #expect(await Self.settle(work) == 0)
            clock.advance(seconds: 1)
            #expect(await Self.settle(work) > 0)
            #expect(try await Self.renewals(harness) == 1)
        }
    }

    @Test func `the commits of a turn cause no further turn`() async throws {
        let clock = ManualClock()
        try await StoreHarness.run(clock: clock) { harness in
            _ = try await harness.signIn().buy(.magazine)
            let work = StoreWorkQueue([harness.store])
            await Self.settle(work)
            clock.advance(seconds: try await Self.secondsUntilRenewal(harness))
            #expect(await Self.settle(work) == 1)
            #expect(try await Self.renewals(harness) == 1)
        }
    }

    @Test func `a purchase after the ticker began is processed`() async throws {
        let clock = ManualClock()
        try await StoreHarness.run(clock: clock) { harness in
            let work = StoreWorkQueue([harness.store])
            await Self.settle(work)
            _ = try await harness.signIn().buy(.magazine)
            #expect(await Self.settle(work) > 0)
            clock.advance(seconds: try await Self.secondsUntilRenewal(harness))
            await Self.settle(work)
            #expect(try await Self.renewals(harness) == 1)
        }
    }

    @Test func `work follows a clock that is stopped, fast or resumed`() async throws {
        let clock = ManualClock()
        try await StoreHarness.run(clock: clock) { harness in
            _ = try await harness.signIn().buy(.magazine)
            let work = StoreWorkQueue([harness.store])
            _ = try await harness.call(ControlEndpoints.setClock, ClockRequest(factor: 0))
            await Self.settle(work)
            clock.advance(seconds: 30 * 86_400)
            #expect(await Self.settle(work) == 0)
            _ = try await harness.call(ControlEndpoints.setClock, ClockRequest(factor: 1_000))
            await Self.settle(work)
            let seconds = try await Self.secondsUntilRenewal(harness)
            clock.advance(seconds: seconds / 1_000 - 1)
            #expect(await Self.settle(work) == 0)
            clock.advance(seconds: 2)
            await Self.settle(work)
            #expect(try await Self.renewals(harness) == 1)
            _ = try await harness.call(ControlEndpoints.setClock, ClockRequest(factor: 1))
            await Self.settle(work)
            try await harness.advance(seconds: try await Self.secondsUntilRenewal(harness) - 60)
            await Self.settle(work)
            #expect(try await Self.renewals(harness) == 1)
            clock.advance(seconds: 60)
            await Self.settle(work)
            #expect(try await Self.renewals(harness) == 2)
        }
    }

    @Test func `a reopened store continues its work`() async throws {
        let folder = try TemporaryFolder()
        let location = DatabaseLocation.file(folder.file("store.sqlite").path)
        let clock = ManualClock()
        try await StoreHarness.run(at: location, clock: clock) { harness in _ = try await harness.signIn().buy(.magazine) }
        let renewals = try await StoreHarness.run(at: location, clock: clock) { harness in
            let work = StoreWorkQueue([harness.store])
            await Self.settle(work)
            clock.advance(seconds: try await Self.secondsUntilRenewal(harness))
            await Self.settle(work)
            return try await Self.renewals(harness)
        }
        #expect(renewals == 1)
    }

    @Test func `a store whose database fails is tried again`() async throws {
        let clock = ManualClock()
        try await StoreHarness.run(clock: clock) { harness in
            _ = try await harness.signIn().buy(.magazine)
            let seconds = try await Self.secondsUntilRenewal(harness)
            try await harness.store.context.transaction { db, _ in try db.execute(sql: "ALTER TABLE subscriptions RENAME TO gone") }
            let work = StoreWorkQueue([harness.store])
            let ticker = StoreTicker(work: work, logger: .silent)
            for _ in 0..<3 {
                let stores = work.begin()
                #expect(stores.count == 1)
                for store in stores { await ticker.process(store) }
            }
            clock.advance(seconds: seconds)
            // The store is repaired behind the queue's back, as when a disk has space again.
            try await harness.store.context.database.write { db in try db.execute(sql: "ALTER TABLE gone RENAME TO subscriptions") }
            await Self.settle(work)
            #expect(try await Self.renewals(harness) == 1)
        }
    }

    @Test func `a store that the host removed is not processed`() async throws {
        let clock = ManualClock()
        try await StoreHarness.run(clock: clock) { harness in
            _ = try await harness.signIn().buy(.magazine)
            let work = StoreWorkQueue([harness.store])
            work.remove(harness.store)
            #expect(await Self.settle(work) == 0)
            clock.advance(seconds: try await Self.secondsUntilRenewal(harness))
            _ = try await harness.signIn().buy(.credits)
            #expect(work.isEmpty)
        }
    }

    @Test func `a store that changes while it is processed is processed again afterwards`() {
        var schedule = StoreWorkSchedule<String>()
        func begin(at now: Timestamp? = nil) -> [String] {
            schedule.begin { _, date in now.map { date <= $0 } ?? false }
        }
        schedule.change("a")
        #expect(begin() == ["a"])
        schedule.change("a")
        #expect(begin() == [])
        schedule.end("a", next: .testStart)
        #expect(begin() == ["a"])
        schedule.end("a", next: .testStart)
        #expect(begin(at: .testStart.adding(seconds: -1)) == [])
        #expect(begin(at: .testStart) == ["a"])
        schedule.end("a", next: nil)
        #expect(schedule.isEmpty)
    }

    @Test(arguments: [(1.0, 10_000), (0.5, 20_000), (1_000, 10), (3, 3_334)])
    func `a date is reached at the time of the base clock that the speed determines`(factor: Double, milliseconds: Int64) {
        let time = StoreTime(base: .testStart, store: .testStart, factor: factor)
        let base = time.base(at: .testStart.adding(seconds: 10))
        #expect(base == .testStart.adding(milliseconds: milliseconds))
        #expect(base.map { time.now(at: $0) >= .testStart.adding(seconds: 10) } == true)
    }

    @Test func `a stopped clock and a date after the range are never reached`() {
        #expect(StoreTime(base: .testStart, store: .testStart, factor: 0).base(at: .testStart.adding(seconds: 1)) == nil)
        #expect(StoreTime(base: .testStart, store: .testStart, factor: 1).base(at: StoreTime.range.upperBound.adding(seconds: 1)) == nil)
        #expect(StoreTime(base: .testStart, store: .testStart, factor: 1e-300).base(at: .testStart.adding(seconds: 1)) == nil)
        #expect(StoreTime(base: .testStart, store: .testStart, factor: 0).base(at: .testStart) == .testStart)
    }
}
