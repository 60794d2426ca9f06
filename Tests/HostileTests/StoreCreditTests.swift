import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreProtocol
import StoreTestSupport
import Testing
import Wire
import WireClient

/// Tests of the built server with a built store that restores, refunds and sends notifications like the App Store.
@Suite struct StoreCreditTests {
    /// A subscription without a free trial, because a refund requires a charge.
    private static let weekly: ProductID = "com.example.garden.weather.weekly"
    private let customer = CustomerID(UUID())

    @Test func `restores and repeated purchases of owned products add no credits, and refunds remove credits`() async throws {
        try await RunningStore.with { store async throws in
            let folder = store.command.folder
            let products = #"[{"id":"\#(RunningStore.shed)","credits":100},{"id":"\#(Self.weekly)","credits":10}]"#
            try Data(products.utf8).write(to: folder.file("products.json"))
            let arguments = [
                "--environment", "sandbox", "--bundle-id", RunningStore.bundleID.rawValue, "--port", "0",
                "--products-file", folder.file("products.json").path, "--content-folder", folder.url.path,
                "--database", folder.file("server.sqlite").path, "--extra-roots-file", store.text("rootCertificate"),
            ]
            let key = try await RunningServer.secretKey(arguments)
            let process = try RunningServer.launch(arguments)
            let line = try #require(await process.lines.first { $0.contains("[tillroll_server] listening") })
            let port = try #require(line.split(separator: " ").first { $0.hasPrefix("port=") }.flatMap { Int($0.dropFirst(5)) })
            let server = ServerBackend(wire: WireClient(baseURL: "http://127.0.0.1:\(port)"), key: key)
            do { try await exercise(store, server) } catch {
                _ = await process.terminate()
                throw error
            }
            #expect(await process.terminate() == 0)
        }
    }

    private func exercise(_ store: RunningStore, _ server: ServerBackend) async throws {
        let client = store.client
        var app = AppRequest()
        app.sandboxURL = server.wire.baseURL.text + ServerEndpoints.notifications.template
        _ = try await client.call(ControlEndpoints.setApp, app, ["bundle": RunningStore.bundleID.rawValue])
        let first = try await client.signIn(device: DeviceID(UUID()), app: RunningStore.bundleID)
        let second = try await client.signIn(device: DeviceID(UUID()), app: RunningStore.bundleID)

        for (product, balance) in [(RunningStore.shed, Int64(100)), (Self.weekly, 110)] {
            try await post(first.signedPurchase(product, customer: customer), server)
            #expect(try await self.balance(server) == balance)
        }
        // A repeated purchase of an owned product is free.
        try await post(first.signedPurchase(RunningStore.shed, customer: customer), server)
        var restoredTransactions: [SignedTransaction] = []
        for _ in 1...2 {
            let request = RestoreRequest(requestID: UUID(), appAccountToken: nil)
            let restored = try await second.call(DeviceEndpoints.restore, request).transactions
            #expect(restored.count == 2)
            restoredTransactions += restored.map(\.signedTransaction)
        }
        for transaction in restoredTransactions { try await post(transaction, server) }
        #expect(try await balance(server) == 110)

        let charges = try await client.charges()
        let shed = try #require(charges.first { $0.productID == RunningStore.shed }?.transactionID)
        let weekly = try #require(charges.first { $0.productID == Self.weekly }?.transactionID)
        // The refund call returns after the notification is delivered.
        try await client.refund(shed, percentage: 25_500)
        #expect(try await balance(server) == 85)
        try await client.refund(weekly)
        #expect(try await balance(server) == 75)
        for transaction in restoredTransactions { try await post(transaction, server) }
        #expect(try await balance(server) == 75)
        _ = try await client.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transactionID: shed))
        #expect(try await balance(server) == 100)
    }

    private func post(_ transaction: SignedTransaction, _ server: ServerBackend) async throws {
        try await server.submit(transaction)
    }

    private func balance(_ server: ServerBackend) async throws -> Int64 {
        try await server.balance(of: customer)
    }
}
