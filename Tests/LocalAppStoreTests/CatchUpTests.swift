import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

/// Tests of stores whose clock is past many due events.
@Suite struct CatchUpTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs `body` with a host of two stores: the default store, and a store in which 50 years of renewals are due.
    ///
    /// The subscription in the second store renews every 30 seconds.
    private static func withBusyStore(
        _ body: @escaping @Sendable (any TestClientProtocol, StoreHost, LocalAppStore) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let configuration = LocalAppStoreConfiguration(bundleID: .test, catalog: try TestCatalog.make(), database: .memory)
        let defaultStore = try await LocalAppStore(configuration: configuration, clock: clock, logger: logger)
        let host = try await StoreHost(defaultStore: defaultStore, clock: clock, logger: logger)
        let request = CreateStoreRequest(name: "busy", storekit: JSONText(Data(TestCatalog.storekit.utf8)), bundleID: .test)
        let busy = try await host.createStore(request).store
        try await host.application(hostname: "127.0.0.1", port: 0).test(.router) { client in
            let base = "/stores/busy"
            _ = try await send(
                client, base, ControlEndpoints.createAccount, CreateAccountRequest(account: "ada@example.com", password: "secret"))
            var account = AccountRequest()
            account.environment = .production
            _ = try await send(client, base, ControlEndpoints.setAccount, account, ["account": "ada@example.com"])
            _ = try await send(client, base, ControlEndpoints.setClock, ClockRequest(timeRate: 15))
            let buy = BuyRequest(account: "ada@example.com", productID: .magazine)
            #expect(try await send(client, base, ControlEndpoints.buy, buy).status == .ok)
            clock.advance(seconds: 50 * 365 * 86_400)
            try await body(client, host, busy)
        }
    }

    @discardableResult
    private static func send<Request, Answer>(
        _ client: any TestClientProtocol, _ base: String, _ endpoint: Endpoint<Request, Answer>, _ body: Request,
        _ parameters: [String: String] = [:]
    ) async throws -> TestResponse {
        let isPost = endpoint.method == .post
        let method: HTTPRequest.Method = isPost ? .post : endpoint.method == .delete ? .delete : .get
        let buffer = isPost ? ByteBuffer(data: try WireJSON.encode(body)) : nil
        return try await client.executeRequest(uri: base + endpoint.path(parameters), method: method, headers: [:], body: buffer)
    }

    @Test(.timeLimit(.minutes(3)))
    func `a store with a large backlog slows no other store and answers with retryable errors`() async throws {
        try await Self.withBusyStore { client, host, busy in
            let ticker = Task { try await StoreTicker(work: WorkQueue([host.defaultStore, busy]), logger: Self.logger).run() }
            defer { ticker.cancel() }
            let clock = ContinuousClock()
            for number in 0..<20 {
                let buy = BuyRequest(account: AccountID("customer-\(number)@example.com"), productID: .credits)
                let time = try await clock.measure {
                    let answer = try await Self.send(client, "", ControlEndpoints.buy, buy)
                    #expect(answer.status == .ok)
                }
                #expect(time < .seconds(5))
            }
            for path in ["/control/v1/accounts", "/verifyReceipt", "/inApps/v1/transactions/2000000000000001", "/device/v1/products"] {
                let method: HTTPRequest.Method = ["/verifyReceipt", "/device/v1/products"].contains(path) ? .post : .get
                let body = ByteBuffer(string: "{}")
                let time = try await clock.measure {
                    let answer = try await client.executeRequest(uri: "/stores/busy\(path)", method: method, headers: [:], body: body)
                    #expect(answer.status == (path.hasPrefix("/inApps") ? .internalServerError : .serviceUnavailable))
                    #expect(answer.headers[.retryAfter] == "1")
                }
                #expect(time < .seconds(20), "\(path)")
            }
            #expect(busy.context.clock.now > Timestamp.testStart.adding(days: 49 * 365))
        }
    }

    @Test(.timeLimit(.minutes(3))) func `a store with a large backlog can be paused, exported and deleted`() async throws {
        try await Self.withBusyStore { client, _, _ in
            #expect(try await Self.send(client, "/stores/busy", ControlEndpoints.clock, Empty()).status == .ok)
            #expect(try await Self.send(client, "/stores/busy", ControlEndpoints.setClock, ClockRequest(factor: 0)).status == .ok)
            let copy = try await client.executeRequest(
                uri: "/stores/busy\(HostEndpoints.exportPath)", method: .get, headers: [:], body: nil)
            #expect(copy.status == .ok && copy.body.readableBytes > 1_000)
            #expect(try await Self.send(client, "", HostEndpoints.stores, Empty()).status == .ok)
            #expect(try await Self.send(client, "", HostEndpoints.deleteStore, Empty(), ["store": "busy"]).status == .ok)
        }
    }

    @Test func `a store with a small backlog catches up before it answers`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            _ = try await phone.buy(.magazineWeekly)
            harness.clock.advance(seconds: 70 * 86_400)
            #expect(try await harness.charges().count == 11)
        }
    }

    @Test(.timeLimit(.minutes(3))) func `a canceled request stops advancing the time`() async throws {
        try await Self.withBusyStore { _, _, busy in
            let context = busy.context
            let start = try await context.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM transactions") ?? 0 }
            let advance = Task { try await context.time.advance(seconds: 86_400, eventLimit: 1_000_000) }
            try await eventually {
                try await context.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM transactions") ?? 0 } >= start + 3
            }
            advance.cancel()
            await #expect(throws: CancellationError.self) { try await advance.value }
        }
    }
}
