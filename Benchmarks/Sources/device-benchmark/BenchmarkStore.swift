import Foundation
import Hummingbird
import LocalAppStore
import Logging
import OpenStoreKit
import PurchaseModel
import PurchaseProof

/// A local store on a loopback port, whose shelf is as long as the longest queue.
struct BenchmarkStore: Sendable {
    static let bundleID: BundleID = "com.example.benchmark"
    static let credentials = Credentials(account: "ada", password: "ladder")

    let store: LocalAppStore
    let url: HTTPURL

    /// Used up, and bought as often as a customer likes.
    static let coins: ProductID = "com.example.benchmark.coins"

    static func product(_ number: Int) -> ProductID { ProductID("com.example.benchmark.book\(number)") }

    static func start(largest: Int) async throws -> BenchmarkStore {
        var products = (0..<largest).map { #"{"productID":"\#(product($0).rawValue)","type":"NonConsumable","displayPrice":"4.99"}"# }
        products.append(#"{"productID":"\#(coins.rawValue)","type":"Consumable","displayPrice":"0.99"}"#)
        let storekit = #"{"products":[\#(products.joined(separator: ","))],"version":{"major":4,"minor":0}}"#
        let store = try await LocalAppStore(
            configuration: LocalAppStoreConfiguration(
                bundleID: bundleID, catalogue: try Catalogue(storekit: Data(storekit.utf8)), database: .memory),
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let application = store.application(hostname: "127.0.0.1", port: 0) { port in continuation.yield(port) }
        Task { try await application.run() }
        guard let port = await ports.first(where: { _ in true }), let url = HTTPURL("http://127.0.0.1:\(port)") else {
            throw CancellationError()
        }
        return BenchmarkStore(store: store, url: url)
    }

    /// Signs a customer in.
    private func signIn(_ account: AccountID, on line: HTTPStoreTransport) async throws -> SignInReply {
        _ = try await line.call(ControlEndpoints.openAccount, OpenAccountRequest(account: account, password: "ladder"), token: nil)
        return try await line.call(
            DeviceEndpoints.signIn,
            SignInRequest(account: account, password: "ladder", device: DeviceID(UUID()), bundleID: Self.bundleID, appVersion: "1"),
            token: nil)
    }

    private func buy(_ product: ProductID, _ token: String, on line: HTTPStoreTransport) async throws {
        let wish = PurchaseRequest(payment: PaymentID(UUID()), productID: product, quantity: 1, appAccountToken: nil)
        _ = try await line.call(DeviceEndpoints.purchase, wish, token: token)
    }

    /// What a restore of so many purchases is answered with, as the store signed it.
    func restored(_ count: Int) async throws -> (pages: [RestoreReply], signIn: SignInReply) {
        let line = HTTPStoreTransport(storeURL: url)
        let signIn = try await signIn(AccountID("customer-\(count)"), on: line)
        for number in 0..<count { try await buy(Self.product(number), signIn.token, on: line) }
        var request = RestoreRequest(request: UUID(), appAccountToken: nil)
        var pages: [RestoreReply] = []
        repeat {
            let page = try await line.call(DeviceEndpoints.restore, request, token: signIn.token)
            pages.append(page)
            request.after = page.next
        } while request.after != nil
        return (pages, signIn)
    }

    /// The history of a customer who has bought books to keep, and coins so many times; coins that were delivered.
    func history(books: Int, coins: Int) async throws -> (pages: [PurchasesReply], signIn: SignInReply) {
        let line = HTTPStoreTransport(storeURL: url)
        let signIn = try await signIn(AccountID("player-\(coins)"), on: line)
        for number in 0..<books { try await buy(Self.product(number), signIn.token, on: line) }
        for _ in 0..<coins { try await buy(Self.coins, signIn.token, on: line) }
        var request = PurchasesRequest()
        var pages: [PurchasesReply] = []
        repeat {
            var page = try await line.call(DeviceEndpoints.purchases, request, token: signIn.token)
            request.after = page.cursor
            for index in page.transactions.indices { page.transactions[index].isFinished = true }
            pages.append(page)
        } while pages.last?.hasMore == true
        return (pages, signIn)
    }

    /// How many microseconds the verifications of signed transactions take; a first round shows the verifier the chain.
    func verifying(_ signed: [SignedTransaction]) async throws -> Double {
        let roots = try TrustedRoots.apple(and: store.rootsPEM, in: [.sandbox])
        let verifier = SignedDataVerifier(roots: roots, bundleID: Self.bundleID, environments: [.sandbox])
        for transaction in signed.prefix(10) { _ = try await verifier.verify(transaction) }
        let started = ContinuousClock.now
        for transaction in signed { _ = try await verifier.verify(transaction) }
        return DeviceMeasurements.microseconds(since: started)
    }
}
