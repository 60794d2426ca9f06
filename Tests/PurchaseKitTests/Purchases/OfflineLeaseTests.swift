import Foundation
import MessageSignatures
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import PurchaseKit

/// Leases, with which an app uses offline what only the server knows.
@Suite struct OfflineLeaseTests {
    private let customer = CustomerID(UUID())
    private let phone: Phone
    private let database: StubPurchaseService.Database
    private let server: StubPurchaseService
    private let wallClock = ManualClock(SystemWallClock().now)

    init() async throws {
        phone = try await Phone()
        database = StubPurchaseService.Database(verifier: phone.harness.verifier)
        server = StubPurchaseService(database, customer: customer)
    }

    private func launch(_ server: StubPurchaseService? = nil) async throws -> KitApp {
        let (leases, server) = (try database.leaseVerifier(), server ?? self.server)
        return try await KitApp.launch(phone, server: server, customer: server.customer, wallClock: wallClock) {
            $0.leaseVerifier = leases
        }
    }

    private func leaseEnd(_ app: KitApp) async throws -> Timestamp? {
        let leases = try database.leaseVerifier()
        return await app.purchases.parts.reader.lease(in: app.vault.contents, leases)?.expires
    }

    @Test func `an app that stays open renews its lease in the second half of the lease's duration`() async throws {
        let (start, end) = (wallClock.now, wallClock.now.adding(days: 4))
        database.grant("beta", until: end)
        let app = try await launch()
        #expect(database.count("lease") == 1)
        wallClock.set(start.adding(days: 1))
        await app.clock.endSleeps()
        await app.waitUntilIdle()
        #expect(database.count("lease") == 1)

        // Without the server, the attempts are an hour apart.
        server.set(offline: true)
        wallClock.set(start.adding(days: 2).adding(seconds: 60))
        await app.waitUntilIdle()
        let attempts = database.attempts("entitlements")
        for _ in 1...3 { await app.waitUntilIdle() }
        #expect(database.attempts("entitlements") == attempts)
        #expect(database.count("lease") == 1)
        server.set(offline: false)
        let later = end.adding(days: 4)
        database.grant("beta", until: later)
        wallClock.set(start.adding(days: 2).adding(seconds: 3_700))
        await app.clock.endSleeps()
        try await eventually { try await leaseEnd(app) == later.wholeSeconds }
        #expect(database.count("lease") == 2)
    }

    @Test(arguments: ["entitlements", "lease"])
    func `a request that fails at the launch is repeated without an action of the app`(_ operation: String) async throws {
        database.grant("beta", until: wallClock.now.adding(days: 4))
        server.set(failing: operation)
        let app = try await launch()
        #expect(await app.state.status(of: "beta") == .none)
        server.set(failing: nil)
        await app.clock.endSleeps()
        try await eventually { await app.state.status(of: "beta").isOwned }
        #expect(await app.state.problems.isEmpty)
    }

    @Test func `a launch requests a lease only if the server lists other entitlements`() async throws {
        database.grant("beta", until: wallClock.now.adding(days: 4))
        for _ in 1...3 {
            let app = try await launch()
            await app.onDevice { await app.purchases.retry() }
            await app.close()
        }
        #expect(database.count("lease") == 1)
        database.grant("beta", "gamma", until: wallClock.now.adding(days: 4))
        #expect(try await launch().state.status(of: "gamma").isOwned)
        #expect(database.count("lease") == 2)
    }

    @Test func `an upgrade ends the replaced subscription, which an older lease states`() async throws {
        let (magazine, plus) = (SampleProduct.magazine, SampleProduct.magazinePlus)
        let end = wallClock.now.adding(days: 30)
        database.grant(magazine.rawValue, until: end)
        let app = try await launch()
        guard case .purchased = await app.buy(magazine) else {
            Issue.record("not purchased")
            return
        }
        await app.waitUntilIdle()
        #expect(database.count("lease") == 1)
        database.grant(plus.rawValue, until: end)
        let outcome = await app.buy(plus)
        guard case .purchased = outcome else {
            Issue.record("not purchased: \(outcome)")
            return
        }
        await app.waitUntilIdle()
        let state = await app.state
        #expect(state.status(of: EntitlementName(plus.rawValue)).isOwned)
        #expect(state.status(of: EntitlementName(magazine.rawValue)) == .none)
        #expect(database.count("lease") == 2)
    }

    @Test func `an app that was offline until its lease ended obtains another one when the server is back`() async throws {
        let (start, end) = (wallClock.now, wallClock.now.adding(days: 4))
        database.grant("beta", until: end)
        let app = try await launch()
        server.set(offline: true)
        wallClock.set(end.adding(seconds: 61))
        await app.clock.endSleeps()
        await app.waitUntilIdle()
        #expect(await app.state.status(of: "beta") == .none)
        server.set(offline: false)
        database.grant("beta", until: start.adding(days: 8))
        wallClock.set(end.adding(seconds: 3_700))
        await app.clock.endSleeps()
        try await eventually { await app.state.status(of: "beta").isOwned }
    }

    @Test func `the person is told before a lease ends, and not about what the phone can prove itself`() async throws {
        let (start, end) = (wallClock.now, wallClock.now.adding(days: 4))
        database.grant("beta", "sepia", until: end)
        let app = try await launch()
        await app.buy(SampleProduct.sepia)
        server.set(offline: true)
        for (days, isTold) in [(2, false), (3, true)] as [(Int64, Bool)] {
            wallClock.set(start.adding(days: days).adding(seconds: 60))
            await app.waitUntilIdle()
            #expect(await app.state.problems.map(\.kind).contains(.offlineUseEnds(end.wholeSeconds.date)) == isTold, "day \(days)")
        }
        #expect(await app.state.problems.contains { $0.message.contains("access ends at") })
        wallClock.set(end.adding(seconds: 61))
        await app.waitUntilIdle()
        #expect(await app.state.status(of: "beta") == .none)
        #expect(await app.state.status(of: "sepia") == .owned(until: nil))
        server.set(offline: false)
        database.grant("sepia", until: end.adding(days: 4))
        await app.onDevice { await app.purchases.retry() }
        wallClock.set(end.adding(days: 3))
        await app.waitUntilIdle()
        // The purchase is on the phone, and needs no lease.
        #expect(await app.state.problems.isEmpty)
    }

    @Test func `the lease of one customer gives nothing to another one on the same phone`() async throws {
        database.grant("beta", until: wallClock.now.adding(days: 4))
        let app = try await launch()
        #expect(await app.state.status(of: "beta").isOwned)
        await app.close()
        server.set(offline: true)
        let other = try await launch(StubPurchaseService(database, customer: CustomerID(UUID())))
        #expect(await !other.state.status(of: "beta").isOwned)
        await other.close()
        #expect(try await launch().state.status(of: "beta").isOwned)
    }
}
