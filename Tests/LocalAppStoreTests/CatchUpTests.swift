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

/// Stores that are far behind their time.
@Suite struct CatchUpTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Two stores of one host; the other one has a subscription that renews every thirty seconds, and decades of them to come.
    private static func withBusyStore(
        _ body: @escaping @Sendable (any TestClientProtocol, StoreHost, LocalAppStore) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let configuration = LocalAppStoreConfiguration(bundleID: .test, catalog: try TestCatalog.make(), database: .memory)
        let standard = try await LocalAppStore(configuration: configuration, clock: clock, logger: logger)
        let host = try await StoreHost(standard: standard, clock: clock, logger: logger)
        let wish = NewStoreRequest(name: "busy", storekit: JSONText(Data(TestCatalog.storekit.utf8)), bundleID: .test)
        let busy = try await host.make(wish).store
        try await host.application(hostname: "127.0.0.1", port: 0).test(.router) { client in
            let base = "/stores/busy"
            _ = try await send(
                client, base, ControlEndpoints.openAccount, OpenAccountRequest(account: "ada@example.com", password: "secret"))
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
    func `a store with work without end slows no other store's purchases, and answers that it is behind`() async throws {
        try await Self.withBusyStore { client, host, busy in
            let ticker = Task { try await StoreTicker(stores: { [host.standard, busy] }, logger: Self.logger).run() }
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
            #expect(busy.ledger.clock.now > Timestamp.testStart.adding(days: 49 * 365))
        }
    }

    @Test(.timeLimit(.minutes(3))) func `a store that is behind can be stopped, copied and removed`() async throws {
        try await Self.withBusyStore { client, _, _ in
            #expect(try await Self.send(client, "/stores/busy", ControlEndpoints.clock, Empty()).status == .ok)
            #expect(try await Self.send(client, "/stores/busy", ControlEndpoints.setClock, ClockRequest(factor: 0)).status == .ok)
            let copy = try await client.executeRequest(
                uri: "/stores/busy\(HostEndpoints.exportPath)", method: .get, headers: [:], body: nil)
            #expect(copy.status == .ok && copy.body.readableBytes > 1_000)
            #expect(try await Self.send(client, "", HostEndpoints.stores, Empty()).status == .ok)
            #expect(try await Self.send(client, "", HostEndpoints.removeStore, Empty(), ["store": "busy"]).status == .ok)
        }
    }

    @Test func `a store that is a little behind catches up before it answers`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            _ = try await phone.buy(.magazineWeekly)
            harness.clock.advance(seconds: 70 * 86_400)
            #expect(try await harness.charges().count == 11)
        }
    }

    @Test(.timeLimit(.minutes(3))) func `nobody who is gone is worked for: a move of the time ends where it is`() async throws {
        try await Self.withBusyStore { _, _, busy in
            let ledger = busy.ledger
            let start = try await ledger.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM transactions") ?? 0 }
            let move = Task { try await ledger.advance(seconds: 86_400, eventLimit: 1_000_000) }
            while case let count = try await ledger.read({ db in try Int.fetchOne(db, sql: "SELECT count(*) FROM transactions") ?? 0 }),
                count < start + 3
            { await Task.yield() }
            move.cancel()
            await #expect(throws: CancellationError.self) { try await move.value }
        }
    }
}
