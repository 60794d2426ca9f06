package import Foundation
import Hummingbird
package import LocalAppStore
import Logging
package import OpenStoreKit
package import PurchaseModel
package import PurchaseProof

/// A local store on a loopback port, with as many books as the longest queue.
package struct BenchmarkStore: Sendable {
    package static let bundleID: BundleID = "com.example.benchmark"
    package static let credentials = Credentials(account: "ada", password: "ladder")

    package let store: LocalAppStore
    package let url: HTTPURL

    /// A consumable product.
    package static let coins: ProductID = "com.example.benchmark.coins"

    package static func product(_ number: Int) -> ProductID { ProductID("com.example.benchmark.book\(number)") }

    /// Starts a store that sells coins and a number of books.
    package static func start(largest: Int) async throws -> BenchmarkStore {
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
    package func restored(_ count: Int) async throws -> (pages: [DeviceProtocol.Page], signIn: Data) {
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
    package func history(books: Int, coins: Int, on device: UUID) async throws -> (pages: [DeviceProtocol.Page], signIn: Data) {
        let transport = HTTPStoreTransport(storeURL: url)
        let (signIn, token) = try await signIn(AccountID("player-\(coins)"), device, on: transport)
        // Each coin is a purchase of its own, although none is finished.
        _ = try await transport.post(
            "/control/v1/apps/\(Self.bundleID.rawValue)", ["restoresUnfinishedConsumables": false])
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

    /// Returns the store's description of products.
    package func products(_ products: [ProductID]) async throws -> Data {
        try await HTTPStoreTransport(storeURL: url).post(
            DeviceProtocol.products, DeviceProtocol.ProductsRequest(productIDs: products.map(\.rawValue)))
    }

    /// Returns a verifier of the store's signed data.
    package func verifier() throws -> SignedDataVerifier {
        let roots = try TrustedRoots.apple(and: store.rootsPEM, in: [.sandbox])
        return SignedDataVerifier(roots: roots, bundleID: Self.bundleID, environments: [.sandbox])
    }

    /// Returns the microseconds of verifying transactions.
    ///
    /// A first round fills the verified-chain cache.
    package func verifying(_ signed: [SignedTransaction]) async throws -> Double {
        let verifier = try verifier()
        for transaction in signed.prefix(10) { _ = try await verifier.verify(transaction) }
        let started = ContinuousClock.now
        for transaction in signed { _ = try await verifier.verify(transaction) }
        return started.microseconds
    }
}

extension ContinuousClock.Instant {
    /// The microseconds since this instant.
    package var microseconds: Double { (ContinuousClock.now - self) / .microseconds(1) }
}
