import AppStoreServerAPI
import Foundation
import FoundationExtras
import GRDB
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore
@testable import PurchaseServer
@testable import PurchaseStorage

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

    @Test func `an answer that can't be verified is no answer: the purchase is looked up again, and the run is not complete`() async throws
    {
        try await TemporaryFolder.with { folder in
            try await ConnectedShop.open(database: .file(folder.file("server.sqlite").path())) { shop in
                let purchase = try await shop.buy(.magazine).originalTransactionId
                try await shop.pass(days: 32)
                try await shop.skipHistory()
                // New certificates name a responder that is not reachable, so nobody knows whether they are revoked.
                shop.store.store.context.signer.issuers.setOCSPURL("http://127.0.0.1:9/ocsp")
                let strict = try #require(try await shop.restarted(revocation: .hard).appStore).reconciliation
                let report = try await strict.reconcile()
                #expect(report.outcome == .indeterminate && report.indeterminate == 1 && report.lookedUp == 1)
                let lookup = try await shop.app.storage.read(.test) { try $0.lookup(of: purchase) }
                #expect(lookup == PurchaseLookup(purchase: purchase, dueAt: shop.clock.now.adding(seconds: 300)))

                try await shop.pass(seconds: 300)
                try await shop.skipHistory()
                #expect(try await shop.reconcile().outcome == .complete)
                #expect(try await shop.entitlement(to: .magazine).isActive)
            }
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
        let (timer, pauses) = (InstantTimer(), TestClock())
        try await ConnectedShop.open(timer: timer) { shop in
            let bought = try await shop.buy(.magazine)
            let schedule = ReconciliationSchedule(service: try #require(shop.app.appStore).reconciliation, hours: 6, timer: pauses)
            let task = Task { try await schedule.run() }
            defer { task.cancel() }
            // The first run receives the renewal info of the purchase.
            await pauses.waitForSleep()
            #expect(try await shop.server.notifications(limit: 9).count == 1)
            let end = try #require(bought.expiresDate)
            try await shop.setServerAPI(failing: true)
            try await shop.pass(seconds: (end.milliseconds - shop.clock.now.milliseconds) / 1_000 + 1)
            #expect(try await shop.store.charges().count == 2)
            // Each round ends the pause after a run, and waits until the next run has failed. Reading the entitlement wakes the service.
            for round in 0...12 {
                let entitlement = try await shop.entitlement(to: .magazine)
                #expect(entitlement.isActive && entitlement.state == .active && entitlement.isUnconfirmed == true, "round \(round)")
                #expect(entitlement.until == end.adding(days: 1) && entitlement.reason.contains("not confirmed"))
                if round == 12 { try await shop.setServerAPI(failing: false) }
                await pauses.endSleeps()
                await pauses.waitForSleeps { $0.count { $0 == .seconds(60) } == round + 2 }
                try await shop.pass(seconds: 300)
                timer.advance(by: .seconds(300))
            }
            let entitlement = try await shop.entitlement(to: .magazine)
            #expect(entitlement.isActive && entitlement.isUnconfirmed == nil)
            #expect(try #require(entitlement.until) > end.adding(days: 20))
        }
    }

    @Test func `an unconfirmed renewal ends with the answer of the App Store, and after the leeway`() async throws {
        try await ConnectedShop.open { shop in
            let bought = try await shop.buy(.magazine)
            try await shop.reconcile()
            let end = try #require(bought.expiresDate)
            // The server does not learn that the customer turned off the renewal.
            try await shop.pass(seconds: 60)
            try await shop.store.perform(.init(.disableAutoRenew), on: bought.transactionId)
            try await shop.setServerAPI(failing: true)
            try await shop.pass(seconds: (end.milliseconds - shop.clock.now.milliseconds) / 1_000 + 3_600)
            #expect(try await shop.entitlement(to: .magazine).isUnconfirmed == true)
            #expect(try await shop.reconcile().outcome == .unavailable)
            #expect(try await shop.entitlement(to: .magazine).isActive)
            let past = try await shop.app.entitlements.read(EntitlementName(ProductID.magazine.rawValue), of: .id(Shop.customer), at: end)
            #expect(!past.isActive)
            shop.clock.advance(seconds: 23 * 3_600)
            #expect(try await !shop.entitlement(to: .magazine).isActive)
            shop.clock.advance(seconds: -3_600)
            #expect(try await shop.entitlement(to: .magazine).isActive)
            try await shop.setServerAPI(failing: false)
            #expect(try await shop.reconcile().outcome == .complete)
            let ended = try await shop.entitlement(to: .magazine)
            #expect(!ended.isActive && ended.state == .expired && ended.isUnconfirmed == nil, "\(ended)")
        }
    }

    private static let withoutLeeway: [@Sendable (ConnectedShop, TransactionID) async throws -> Void] = [
        // The customer has turned off renewal, and the server knows it.
        { shop, purchase in
            try await shop.pass(seconds: 60)
            try await shop.store.perform(.init(.disableAutoRenew), on: purchase)
            try await shop.reconcile()
        },
        // The App Store has answered after the end of the period, without a renewal.
        { shop, purchase in
            let date = shop.clock.now.adding(days: 40)
            try await shop.app.storage.write(.test) { try $0.put(PurchaseLookup(purchase: purchase, dueAt: date, askedAt: date)) }
        },
        // The server never looks the purchase up.
        { shop, purchase in try await shop.app.storage.write(.test) { try $0.removeLookup(of: purchase) } },
    ]

    @Test(arguments: withoutLeeway.indices)
    func `only a renewal that is expected and unknown is awaited`(_ index: Int) async throws {
        try await ConnectedShop.open { shop in
            let bought = try await shop.buy(.magazine)
            try await shop.reconcile()
            try await Self.withoutLeeway[index](shop, bought.originalTransactionId)
            let end = try #require(bought.expiresDate)
            shop.clock.advance(seconds: (end.milliseconds - shop.clock.now.milliseconds) / 1_000 + 60)
            #expect(try await !shop.entitlement(to: .magazine).isActive)
        }
    }

    @Test(arguments: [0, 1])
    func `the leeway is configured, and an app receipt or a transaction alone states no renewal`(_ hours: Int) async throws {
        try await ConnectedShop.open(change: Shop.Change { $0.renewalLeewayHours = hours }) { shop in
            let bought = try await shop.buy(.magazine)
            let end = try #require(bought.expiresDate)
            let start = shop.clock.now
            shop.clock.advance(seconds: (end.milliseconds - start.milliseconds) / 1_000 + 60)
            #expect(try await !shop.entitlement(to: .magazine).isActive)
            shop.clock.advance(seconds: (start.milliseconds - shop.clock.now.milliseconds) / 1_000)
            try await shop.reconcile()
            for (minutes, isActive) in [(Int64(1), hours == 1), (59, hours == 1), (60, false)] {
                shop.clock.advance(seconds: (end.milliseconds - shop.clock.now.milliseconds) / 1_000 + minutes * 60)
                #expect(try await shop.entitlement(to: .magazine).isActive == isActive, "\(minutes) minutes")
                #expect(try await shop.app.givesContent(of: .magazine) == isActive, "\(minutes) minutes")
            }
        }
    }

    @Test func `after an outage of the database, what it refused is requested from the App Store at once`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path()
            let pauses = TestClock()
            try await ConnectedShop.open(database: .file(path)) { shop in
                let schedule = ReconciliationSchedule(service: try #require(shop.app.appStore).reconciliation, hours: 6, timer: pauses)
                let task = Task { try await schedule.run() }
                defer { task.cancel() }
                await pauses.waitForSleep()
                await pauses.endSleeps()
                try await shop.buyInStore(.book)
                let checked = try #require((shop.server.storage as? MonitoredStorage)?.storage as? CheckedStorage)
                let storage = try #require(checked.storage as? SQLitePurchaseStorage)
                func limit(_ pages: Int) async throws {
                    try await storage.writer.writeWithoutTransaction { db in
                        let used = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                        try db.execute(sql: "PRAGMA max_page_count = \(used + pages)")
                    }
                }
                func fill() async throws {
                    try await shop.app.storage.write(.test) { try $0.put(Data(repeating: 1, count: 500_000), named: "large") }
                }
                try await limit(0)
                await #expect(throws: StorageError.full) { try await fill() }
                try await limit(1_000)
                #expect(try await shop.server.notifications(limit: 9).isEmpty)
                try await fill()
                // The pause of six hours is not ended by the test.
                await pauses.waitForSleeps { $0.count == 3 }
                #expect(try await shop.server.notifications(limit: 9).map(\.kind) == ["ONE_TIME_CHARGE"])
            }
        }
    }

    @Test func `when the App Store answers again, the reconciliation that it refused is repeated at once`() async throws {
        let pauses = TestClock()
        try await ConnectedShop.open { shop in
            let schedule = ReconciliationSchedule(service: try #require(shop.app.appStore).reconciliation, hours: 6, timer: pauses)
            let own = try await shop.store.payloads([try await shop.device.signedPurchase(.book, customer: Shop.customer)])[0]
            try await shop.setServerAPI(failing: true)
            let task = Task { try await schedule.run() }
            defer { task.cancel() }
            await pauses.waitForSleep()
            await pauses.endSleeps()
            #expect(try await shop.server.notifications(limit: 9).isEmpty)
            try await shop.setServerAPI(failing: false)
            shop.clock.advance(seconds: 600)
            let request = SubmitPurchasesRequest(proofs: [PurchaseProofInput(transactionID: own.transactionId)])
            let results = try await shop.app.purchases.submit(request, for: .id(Shop.customer), isBackend: true).results
            #expect(results.map(\.status) == [.verified])
            await pauses.waitForSleeps { $0.count == 3 }
            #expect(try await shop.server.notifications(limit: 9).map(\.kind) == ["ONE_TIME_CHARGE"])
        }
    }

    @Test func `a pause after the rate limit was exceeded is not cut short`() async throws {
        let pauses = TestClock()
        try await ConnectedShop.open { shop in
            let service = try #require(shop.app.appStore).reconciliation
            var fault = Fault(.status(code: 429, retryAfterSeconds: nil))
            fault.surface = .serverAPI
            _ = try await shop.store.call(ControlEndpoints.setFault, fault)
            let task = Task { try await ReconciliationSchedule(service: service, hours: 6, timer: pauses).run() }
            defer { task.cancel() }
            await pauses.waitForSleep()
            service.wakeup.wake()
            #expect(pauses.sleepDurations == [.seconds(300)])
        }
    }

    @Test func `a refund of a consumable whose notification was lost is looked up`() async throws {
        try await ConnectedShop.open { shop in
            let bought = try await shop.buy(.credits)
            #expect(try await shop.app.ledger.balances(of: .id(Shop.customer)).amount() == 5)
            try await shop.pass(days: 1)
            try await shop.store.refund(bought.transactionId)
            try await shop.pass(days: 30)
            try await shop.skipHistory()
            let report = try await shop.reconcile()
            #expect(report.outcome == .complete && report.found == 0 && report.recordedEvents == 1)
            let missing = try #require(report.events.first)
            #expect(report.events.count == 1 && missing.kind == .refund && missing.transactionID == bought.transactionId)
            let month = Int64(30 * 86_400)
            #expect(abs(missing.missingSeconds - month) <= 60)
            #expect(try await shop.app.ledger.balances(of: .id(Shop.customer)).amount() == 0)
        }
    }

    @Test func `the other refunds of a customer with a refund are looked up`() async throws {
        try await ConnectedShop.open { shop in
            let bought = [try await shop.buy(.credits), try await shop.buy(.credits), try await shop.buy(.credits)]
            try await shop.pass(seconds: 60)
            try await shop.store.refund(bought[0].transactionId)
            try await shop.reconcile()
            #expect(try await shop.app.ledger.balances(of: .id(Shop.customer)).amount() == 10)
            try await shop.store.refund(bought[1].transactionId)
            try await shop.pass(days: 2)
            try await shop.skipHistory()
            #expect(try await shop.reconcile().recordedEvents == 1)
            #expect(try await shop.app.ledger.balances(of: .id(Shop.customer)).amount() == 5)
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
            // A pause has two parts, of which the first is not cut short.
            await timer.endSleeps()
            await timer.endSleeps()
            await timer.waitForSleep()
            #expect(try await shop.entitlement(to: .magazine).isActive)
            #expect(timer.sleepDurations == [.seconds(60), .seconds(21_540), .seconds(60)])
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
        let service = try #require(appStore).reconciliation
        return ReconciliationService(
            service.connection, notifications: notifications, signedData: service.signedData, teams: service.teams,
            logger: service.logger,
            limits: ReconciliationLimits(pages: pages))
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
