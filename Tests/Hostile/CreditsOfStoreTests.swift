import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Testing
import TillrollTour
import WireClient

/// The built server beside a built store that restores, refunds and notifies as the App Store does.
@Suite struct CreditsOfStoreTests {
    private static let account: AccountID = "ada@example.com"
    /// A subscription without a free trial: a refund needs a charge.
    private static let weekly: ProductID = "com.example.garden.weather.weekly"
    private let customer = CustomerID(UUID())

    @Test func `a store's restores and owned products bought again add no credits, and its refunds take them back`() async throws {
        try await RunningStore.with { store async throws in
            let folder = store.command.folder
            let products = #"[{"id":"\#(RunningStore.shed)","credits":100},{"id":"\#(Self.weekly)","credits":10}]"#
            try Data(products.utf8).write(to: folder.file("products.json"))
            let process = try RunningServer.launch([
                "--environment", "sandbox", "--bundle-id", RunningStore.bundleID.rawValue, "--port", "0",
                "--products-file", folder.file("products.json").path, "--content-folder", folder.url.path,
                "--database", folder.file("server.sqlite").path, "--extra-roots-file", store.text("root_certificate"),
            ])
            let line = try #require(await process.lines.first { $0.contains("[tillroll_server] listening") })
            let port = try #require(line.split(separator: " ").first { $0.hasPrefix("port=") }.flatMap { Int($0.dropFirst(5)) })
            let server = WireClient(baseURL: "http://127.0.0.1:\(port)")
            do { try await walk(store, server) } catch {
                _ = await process.terminate()
                throw error
            }
            #expect(await process.terminate() == 0)
        }
    }

    private func walk(_ store: RunningStore, _ server: WireClient) async throws {
        let wire = store.wire
        var app = AppRequest()
        app.sandboxURL = server.baseURL.text + ServerEndpoints.notifications.template
        _ = try await wire.call(ControlEndpoints.setApp, app, parameters: ["bundle": RunningStore.bundleID.rawValue])
        _ = try await wire.call(ControlEndpoints.openAccount, OpenAccountRequest(account: Self.account, password: "ladder"))
        let (first, second) = (try await signIn(wire), try await signIn(wire))

        for (product, balance) in [(RunningStore.shed, 100), (Self.weekly, 110)] {
            try await post(try await buy(product, wire, first), server)
            #expect(try await self.balance(server) == balance)
        }
        // An owned product costs nothing the second time.
        try await post(try await buy(RunningStore.shed, wire, first), server)
        var kept: [SignedTransaction] = []
        for _ in 1...2 {
            let request = RestoreRequest(request: UUID(), appAccountToken: nil)
            let restored = try await wire.call(DeviceEndpoints.restore, request, token: second).transactions
            #expect(restored.count == 2)
            kept += restored.map(\.transaction)
        }
        for transaction in kept { try await post(transaction, server) }
        #expect(try await balance(server) == 110)

        let charges = try await wire.call(ControlEndpoints.charges, Empty(), parameters: ["account": Self.account.rawValue]).charges
        let shed = try #require(charges.first { $0.productID == RunningStore.shed }?.transaction)
        let weekly = try #require(charges.first { $0.productID == Self.weekly }?.transaction)
        // Answered after the notification was delivered.
        _ = try await wire.call(ControlEndpoints.refund, IssueRefund(transaction: shed, percentage: 25_500))
        #expect(try await balance(server) == 85)
        _ = try await wire.call(ControlEndpoints.refund, IssueRefund(transaction: weekly))
        #expect(try await balance(server) == 75)
        for transaction in kept { try await post(transaction, server) }
        #expect(try await balance(server) == 75)
        _ = try await wire.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transaction: shed))
        #expect(try await balance(server) == 100)
    }

    private func signIn(_ wire: WireClient) async throws -> String {
        let request = SignInRequest(
            account: Self.account, password: "ladder", device: DeviceID(UUID()), bundleID: RunningStore.bundleID, appVersion: "1.0")
        return try await wire.call(DeviceEndpoints.signIn, request).token
    }

    private func buy(_ product: ProductID, _ wire: WireClient, _ token: String) async throws -> SignedTransaction {
        let request = PurchaseRequest(payment: PaymentID(UUID()), productID: product, quantity: 1, appAccountToken: customer)
        guard case .purchased(let transaction, _) = try await wire.call(DeviceEndpoints.purchase, request, token: token) else {
            throw WireClientError.unreachable
        }
        return transaction
    }

    private func post(_ transaction: SignedTransaction, _ server: WireClient) async throws {
        _ = try await server.call(ServerEndpoints.transactions, RecordTransactionRequest(signedTransaction: transaction))
    }

    private func balance(_ server: WireClient) async throws -> Int {
        try await server.call(ServerEndpoints.balance, Empty(), parameters: ["customer": customer.rawValue]).balance
    }
}
