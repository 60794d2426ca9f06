import Foundation
import Hummingbird
import LocalAppStore
import Logging
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import StoreKit

/// A local store on a loopback port, with as many books as the longest queue.
struct BenchmarkStore: Sendable {
    static let bundleID: BundleID = "com.example.benchmark"
    static let credentials = Credentials(account: "ada", password: "ladder")

    let store: LocalAppStore
    let url: HTTPURL

    /// A consumable product.
    static let coins: ProductID = "com.example.benchmark.coins"

    static func product(_ number: Int) -> ProductID { ProductID("com.example.benchmark.book\(number)") }

    static func start(largest: Int) async throws -> BenchmarkStore {
        var products = (0..<largest).map { #"{"productID":"\#(product($0).rawValue)","type":"NonConsumable","displayPrice":"4.99"}"# }
        products.append(#"{"productID":"\#(coins.rawValue)","type":"Consumable","displayPrice":"0.99"}"#)
        let storekit = #"{"products":[\#(products.joined(separator: ","))],"version":{"major":4,"minor":0}}"#
        let store = try await LocalAppStore(
            configuration: LocalAppStoreConfiguration(
                bundleID: bundleID, catalog: try Catalog(storekit: Data(storekit.utf8)), database: .memory),
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let application = store.application(hostname: "127.0.0.1", port: 0) { port in continuation.yield(port) }
        Task { try await application.run() }
        guard let port = await ports.first(where: { _ in true }), let url = HTTPURL("http://127.0.0.1:\(port)") else {
            throw CancellationError()
        }
        return BenchmarkStore(store: store, url: url)
    }

    /// Signs in to an account, and returns the response and its token.
    private func signIn(
        _ account: AccountID, _ device: UUID = UUID(), on transport: HTTPStoreTransport
    ) async throws -> (reply: Data, token: String) {
        _ = try await transport.post(
            "/control/v1/accounts", DeviceProtocol.Account(account: account.rawValue, password: "ladder", askToBuyEnabled: false))
        let reply = try await transport.post(
            DeviceProtocol.signIn,
            DeviceProtocol.SignIn(
                account: account.rawValue, password: "ladder", device: device.uuidString.lowercased(), bundleID: Self.bundleID.rawValue,
                appVersion: "1"))
        return (reply, try JSONDecoder().decode(DeviceProtocol.Session.self, from: reply).token)
    }

    private func buy(_ product: ProductID, _ token: String, on transport: HTTPStoreTransport) async throws {
        let payment = DeviceProtocol.Payment(payment: UUID().uuidString.lowercased(), productID: product.rawValue, quantity: 1)
        _ = try await transport.post(DeviceProtocol.purchases, payment, token: token)
    }

    /// Returns the signed pages of a restore with `count` purchases, and the sign-in response.
    func restored(_ count: Int) async throws -> (pages: [DeviceProtocol.Page], signIn: Data) {
        let transport = HTTPStoreTransport(storeURL: url)
        let (signIn, token) = try await signIn(AccountID("customer-\(count)"), on: transport)
        for number in 0..<count { try await buy(Self.product(number), token, on: transport) }
        var request = DeviceProtocol.PageRequest(requestID: UUID().uuidString.lowercased())
        var pages: [DeviceProtocol.Page] = []
        repeat {
            let reply = try await transport.post(DeviceProtocol.restore, request, token: token)
            let page = try JSONDecoder().decode(DeviceProtocol.Page.self, from: reply)
            pages.append(page)
            request.paginationToken = page.paginationToken
        } while request.paginationToken != nil
        return (pages, signIn)
    }

    /// Returns the history of an account with the given purchases of books and coins, as finished transactions that the store signs for a
    /// device, and the sign-in response.
    func history(books: Int, coins: Int, on device: UUID) async throws -> (pages: [DeviceProtocol.Page], signIn: Data) {
        let transport = HTTPStoreTransport(storeURL: url)
        let (signIn, token) = try await signIn(AccountID("player-\(coins)"), device, on: transport)
        for number in 0..<books { try await buy(Self.product(number), token, on: transport) }
        for _ in 0..<coins { try await buy(Self.coins, token, on: transport) }
        var request = DeviceProtocol.PageRequest()
        var pages: [DeviceProtocol.Page] = []
        repeat {
            let reply = try await transport.post(DeviceProtocol.history, request, token: token)
            var page = try JSONDecoder().decode(DeviceProtocol.Page.self, from: reply)
            request.revision = page.revision
            for index in page.transactions.indices { page.transactions[index].isFinished = true }
            pages.append(page)
        } while pages.last?.hasMore == true
        return (pages, signIn)
    }

    /// Returns the microseconds of verifying transactions.
    ///
    /// A first round fills the verified-chain cache.
    func verifying(_ signed: [SignedTransaction]) async throws -> Double {
        let roots = try TrustedRoots.apple(and: store.rootsPEM, in: [.sandbox])
        let verifier = SignedDataVerifier(roots: roots, bundleID: Self.bundleID, environments: [.sandbox])
        for transaction in signed.prefix(10) { _ = try await verifier.verify(transaction) }
        let started = ContinuousClock.now
        for transaction in signed { _ = try await verifier.verify(transaction) }
        return DeviceMeasurements.microseconds(since: started)
    }
}
