import Foundation
import FoundationExtras
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

/// Tests of stores whose clock is past many due events.
@Suite struct CatchUpTests {
    /// Runs `body` with a host of two stores: the default store, and a store in which 50 years of renewals are due.
    ///
    /// The subscription in the second store renews every 30 seconds.
    private static func withBusyStore(
        _ body: @escaping @Sendable (any TestClientProtocol, StoreHost, LocalAppStore) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let defaultStore = try await LocalAppStore(configuration: .test(), clock: clock, logger: .silent)
        let host = try await StoreHost(defaultStore: defaultStore, clock: clock, logger: .silent)
        let request = CreateStoreRequest(name: "busy", storekit: JSONText(Data(TestCatalog.storekit.utf8)), bundleID: .test)
        let busy = try await host.createStore(request).store
        try await host.application(hostname: "127.0.0.1", port: 0).test(.router) { client in
            let store = ConnectedStore(client, path: "/stores/busy")
            try await store.createAccount(.test)
            try await store.set(.test) { $0.environment = .production }
            _ = try await store.call(ControlEndpoints.setClock, ClockRequest(timeRate: 15))
            try await store.buy(.magazine)
            clock.advance(seconds: 50 * 365 * 86_400)
            try await body(client, host, busy)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a store with a large backlog slows no other store and answers with retryable errors`() async throws {
        try await Self.withBusyStore { client, host, busy in
            let ticker = Task { try await StoreTicker(work: StoreWorkQueue([host.defaultStore, busy]), logger: .silent).run() }
            defer { ticker.cancel() }
            // The answers of the store with the backlog show afterward that it was behind all the time.
            let defaultStore = ConnectedStore(client)
            for number in 0..<20 { try await defaultStore.buy(.credits, for: AccountID("customer-\(number)@example.com")) }
            for path in ["/control/v1/accounts", "/verifyReceipt", "/inApps/v1/transactions/2000000000000001", "/device/v1/products"] {
                let method: HTTPRequest.Method = ["/verifyReceipt", "/device/v1/products"].contains(path) ? .post : .get
                let body = ByteBuffer(string: "{}")
                let answer = try await client.executeRequest(uri: "/stores/busy\(path)", method: method, headers: [:], body: body)
                #expect(answer.status == (path.hasPrefix("/inApps") ? .internalServerError : .serviceUnavailable), "\(path)")
                #expect(answer.headers[.retryAfter] == "1", "\(path)")
            }
            #expect(busy.context.clock.now > Timestamp.testStart.adding(days: 49 * 365))
        }
    }

    @Test(.timeLimit(.minutes(10))) func `a store with a large backlog can be paused, exported and deleted`() async throws {
        try await Self.withBusyStore { client, _, _ in
            _ = try await ConnectedStore(client, path: "/stores/busy").call(ControlEndpoints.clock, Empty())
            _ = try await ConnectedStore(client, path: "/stores/busy").call(ControlEndpoints.setClock, ClockRequest(factor: 0))
            let copy = try await client.executeRequest(
                uri: "/stores/busy\(HostEndpoints.exportPath)", method: .get, headers: [:], body: nil)
            #expect(copy.status == .ok && copy.body.readableBytes > 1_000)
            let defaultStore = ConnectedStore(client)
            _ = try await defaultStore.call(HostEndpoints.stores, Empty())
            _ = try await defaultStore.call(HostEndpoints.deleteStore, Empty(), ["store": "busy"])
        }
    }

    @Test func `a store with a small backlog catches up before it answers`() async throws {
        let clock = ManualClock()
        try await StoreHarness.run(clock: clock) { harness in
            let phone = try await harness.signIn()
            _ = try await phone.buy(.magazineWeekly)
            clock.advance(seconds: 70 * 86_400)
            #expect(try await harness.charges().count == 11)
        }
    }

    @Test(.timeLimit(.minutes(10))) func `a canceled request stops advancing the time`() async throws {
        try await Self.withBusyStore { _, _, busy in
            let context = busy.context
            let start = try await context.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM transactions") ?? 0 }
            let advance = Task { try await busy.storeServices.time.advance(seconds: 86_400, eventLimit: 1_000_000) }
            try await eventually {
                try await context.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM transactions") ?? 0 } >= start + 3
            }
            advance.cancel()
            await #expect(throws: CancellationError.self) { try await advance.value }
        }
    }
}
