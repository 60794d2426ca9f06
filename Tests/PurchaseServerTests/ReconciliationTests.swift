import AppStoreServerAPI
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import PurchaseServer

/// Tests of a server that did not receive what the App Store sent.
@Suite struct ReconciliationTests {
    @Test func `a lost notification is back-filled: the customer who was charged for two periods is active after reconciliation`()
        async throws
    {
        try await ConnectedShop.open { shop in
            try await shop.buy(.magazine)
            try await shop.pass(days: 32)
            #expect(try await shop.store.charges().count == 2)
            #expect(try await shop.entitlement(to: .magazine).isActive == false)

            let report = try await shop.reconcile()
            #expect(try await shop.entitlement(to: .magazine).isActive)
            #expect(report.outcome == .complete && report.message == nil)
            #expect(report.found == 2 && report.missing == 2 && report.recorded == 2 && report.refused == 0)
            #expect(report.notifications.map(\.kind).sorted() == ["DID_RENEW", "SUBSCRIBED INITIAL_BUY"])
            #expect(report.notifications.allSatisfy { $0.missingSeconds > 0 && $0.missingSeconds <= 32 * 86_400 })
            #expect(report.completeUntil == shop.clock.now)

            let again = try await shop.reconcile()
            #expect(again.missing == 0 && again.recordedEvents == 0 && again.outcome == .complete)
        }
    }

    @Test func `periods without notifications are looked up, with the credits of each`() async throws {
        try await ConnectedShop.open { shop in
            let bought = try await shop.buy(.magazineWeekly)
            try await shop.pass(days: 22)
            // The history of notifications before this date is not requested.
            try await shop.skipHistory()
            let report = try await shop.reconcile()
            #expect(report.found == 0 && report.lookedUp == 1 && report.outcome == .complete)
            #expect(try await shop.entitlement(to: .magazineWeekly).isActive)
            let periods = try await shop.app.storage.read(.test) { try $0.transactions(of: bought.originalTransactionId).count }
            #expect(try await shop.store.charges().count == 4 && periods == 4)
            #expect(try await shop.app.ledger.balances(of: .id(Shop.customer)).amount() == 8)
            // The App Store signs the same transactions again for each request; nothing is stored twice.
            try await shop.pass(days: 7)
            try await shop.skipHistory()
            #expect(try await shop.reconcile().recordedEvents == 2)
            try await shop.pass(seconds: 7_200)
            #expect(try await shop.reconcile().lookedUp == 0)
        }
    }

    @Test func `an expiration without a notification is looked up, and later looked up less often`() async throws {
        try await ConnectedShop.open { shop in
            let bought = try await shop.buy(.magazine)
            try await shop.store.perform(.init(.disableAutoRenew), on: bought.transactionId)
            try await shop.pass(days: 32)
            try await shop.skipHistory()
            #expect(try await shop.reconcile().recordedEvents == 1)
            #expect(try await shop.entitlement(to: .magazine).state == .expired)
            for (hours, lookups) in [(Int64(1), 0), (24, 1), (2, 1), (60, 1), (24, 1), (2, 0), (24, 1)] {
                try await shop.pass(seconds: hours * 3_600)
                let report = try await shop.reconcile()
                #expect(report.lookedUp == lookups && report.recordedEvents == 0, "after \(hours) hours")
            }
        }
    }

    @Test func `the App Store is away for an hour, then back: no access is lost, without a manual step`() async throws {
        let timer = InstantTimer()
        try await ConnectedShop.open(timer: timer) { shop in
            try await shop.buy(.magazine)
            try await shop.reconcile()
            try await shop.pass(days: 32)
            try await shop.setServerAPI(failing: true)
            let service = try #require(shop.app.reconciliation)
            for _ in 0..<12 {
                let report = try await service.reconcile()
                #expect(report.outcome == .unavailable && report.message != nil)
                #expect(ReconciliationSchedule.pause(after: report.outcome, hours: 6) == .seconds(300))
                try await shop.pass(seconds: 300)
                timer.advance(by: .seconds(300))
            }
            try await shop.setServerAPI(failing: false)
            let report = try await service.reconcile()
            #expect(report.outcome == .complete && report.recorded == 1)
            #expect(try await shop.entitlement(to: .magazine).isActive)
        }
    }

    @Test func `a thousand notifications are recorded page by page by runs that are interrupted`() async throws {
        try await TemporaryFolder.with { folder in
            try await ConnectedShop.open(database: .file(folder.file("server.sqlite").path())) { shop in
                try await shop.store.buyMany(1_000)
                try await shop.pass(seconds: 60)
                var (found, recorded, runs) = (0, 0, 0)
                var outcome = ReconciliationReport.Outcome.requestLimit
                while outcome == .requestLimit {
                    // Each process is stopped after a few pages; the next one opens the database again.
                    let report = try await shop.restarted().interruptible(pages: 17).reconcile()
                    (found, recorded, runs) = (found + report.found, recorded + report.recorded, runs + 1)
                    outcome = report.outcome
                    try #require(runs < 20)
                }
                #expect(outcome == .complete && found == 1_000 && recorded == 1_000)
                // 25 windows of a week without notifications, and 50 pages of 20 in the last one.
                #expect(runs == 5)
                #expect(try await shop.server.notifications(limit: 2_000).count == 1_000)
            }
        }
    }

    @Test func `a run continues after the App Store's token for the next page has expired`() async throws {
        try await ConnectedShop.open { shop in
            try await shop.store.buyMany(45)
            try await shop.pass(seconds: 60)
            let service = try await shop.app.interruptible(pages: 27)
            #expect(try await service.reconcile().outcome == .requestLimit)
            #expect(try await shop.progress()?.window?.paginationToken != nil)
            try await shop.pass(days: 2)
            #expect(try await service.reconcile().outcome == .complete)
            #expect(try await shop.server.notifications(limit: 100).count == 45)
        }
    }

    @Test func `notifications since a date are requested again`() async throws {
        try await ConnectedShop.open { shop in
            try await shop.buy(.book)
            let start = shop.clock.now
            try await shop.pass(days: 20)
            try await shop.skipHistory()
            #expect(try await shop.reconcile().found == 0)
            let report = try await shop.reconcile(since: start.adding(days: -1))
            #expect(report.since == start.adding(days: -1).adding(seconds: -3_600))
            #expect(report.found == 1 && report.recorded == 1 && report.completeUntil == shop.clock.now)
            #expect(try await shop.reconcile().found == 0)
        }
    }

    @Test func `the schedule reconciles at the start and after each pause, and ends with the server`() async throws {
        let timer = TestClock()
        try await ConnectedShop.open(timer: timer) { shop in
            let schedule = try #require(
                shop.server.services.lazy.compactMap { $0 as? ReconciliationSchedule }.first)
            try await shop.buy(.magazine)
            let task = Task { try await schedule.run() }
            await timer.waitForSleep()
            #expect(try await shop.server.notifications(limit: 10).count == 1)
            try await shop.pass(days: 32)
            await timer.endSleeps()
            await timer.waitForSleep()
            #expect(try await shop.entitlement(to: .magazine).isActive)
            #expect(timer.sleepDurations == [.seconds(21_600), .seconds(21_600)])
            task.cancel()
            try await task.value
        }
    }

    @Test func `a wake-up ends the present pause, or the next one of a busy service, and a canceled service does not wait`() async {
        let (wakeup, timer) = (Wakeup(), TestClock())
        wakeup.wake()
        await wakeup.wait(for: .seconds(300), on: timer)
        let waiting = Task { await wakeup.wait(for: nil, on: timer) }
        wakeup.wake()
        await waiting.value
        let canceled = Task { await wakeup.wait(for: nil, on: timer) }
        canceled.cancel()
        await canceled.value
    }

    @Test func `a reconciliation is requested with an admin key, and needs a key of the App Store Server API`() async throws {
        try await Shop.open { shop async throws in
            let endpoint = ReconciliationController.endpoint
            #expect(try await shop.call(endpoint, .init()).code == "key.scope")
            let admin = Shop.Sender.headers([.authorization: "Bearer \(shop.keys.admin)"])
            #expect(try await shop.call(endpoint, .init(), by: admin).code == "reconciliation.not-configured")
            #expect(!shop.server.services.contains { $0 is ReconciliationSchedule })
        }
        try await ConnectedShop.open { shop in
            try await shop.buy(.book)
            let key = try await #require(shop.server.apiKeys(of: .test)).create(.admin).text
            try await shop.server.application(hostname: "127.0.0.1", port: 0) { _ in }.test(.live) { client in
                let answer = try await client.execute(
                    uri: "/v1/reconciliations", method: .post, headers: [.authorization: "Bearer \(key)"], body: ByteBuffer(string: "{}"))
                let report = try WireJSON.decode(ReconciliationReport.self, from: Data(buffer: answer.body))
                #expect(report.outcome == .complete && report.recorded == 1 && report.notifications.first?.kind == "ONE_TIME_CHARGE")
            }
        }
    }
}

extension ConnectedShop {
    /// Lets the server believe that it has every notification up to now.
    func skipHistory() async throws {
        let now = clock.now
        try await app.storage.write(.test) { try $0.put(ReconciliationProgress(environment: .sandbox, completeUntil: now)) }
    }

    /// The stored progress.
    func progress() async throws -> ReconciliationProgress? {
        try await app.storage.read(.test) { try $0.reconciliation(in: .sandbox) }
    }
}

extension AppServices {
    /// Returns a service whose runs end after a number of pages.
    fileprivate func interruptible(pages: Int) async throws -> ReconciliationService {
        let service = try #require(reconciliation)
        return ReconciliationService(
            app: id, environment: service.environment, client: service.client, storage: storage, notifications: notifications,
            recorder: recorder, clock: service.clock, logger: service.logger, limits: ReconciliationLimits(pages: pages))
    }
}

extension StoreHarness {
    /// Buys credits many times, with several connections.
    fileprivate func buyMany(_ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<4 {
                group.addTask { for _ in stride(from: lane, to: count, by: 4) { _ = try await buy(.credits) } }
            }
            try await group.waitForAll()
        }
    }
}
