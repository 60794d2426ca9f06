import Foundation
import Hummingbird
import LocalAppStore
import Logging
import OpenStoreKit
import PurchaseModel

/// A local store on a loopback port, whose shelf is as long as the longest queue.
struct BenchmarkStore: Sendable {
    static let bundleID: BundleID = "com.example.benchmark"
    static let credentials = Credentials(account: "ada", password: "ladder")

    let store: LocalAppStore
    let url: String

    static func product(_ number: Int) -> ProductID { ProductID("com.example.benchmark.book\(number)") }

    static func start(largest: Int) async throws -> BenchmarkStore {
        let products = (0..<largest).map { #"{"productID":"\#(product($0).rawValue)","type":"NonConsumable","displayPrice":"4.99"}"# }
        let storekit = #"{"products":[\#(products.joined(separator: ","))],"version":{"major":4,"minor":0}}"#
        let store = try await LocalAppStore(
            configuration: LocalAppStoreConfiguration(
                bundleID: bundleID, catalogue: try Catalogue(storekit: Data(storekit.utf8)), database: .memory),
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let application = store.application(hostname: "127.0.0.1", port: 0) { port in continuation.yield(port) }
        Task { try await application.run() }
        guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
        return BenchmarkStore(store: store, url: "http://127.0.0.1:\(port)")
    }

    /// What a restore of so many purchases is answered with, as the store signed it.
    func restored(_ count: Int) async throws -> (pages: [RestoreReply], signIn: SignInReply) {
        let line = HTTPStoreTransport(storeURL: url)
        let account = AccountID("customer-\(count)")
        _ = try await line.call(ControlEndpoints.openAccount, OpenAccountRequest(account: account, password: "ladder"), token: nil)
        let signIn = try await line.call(
            DeviceEndpoints.signIn,
            SignInRequest(account: account, password: "ladder", device: DeviceID(UUID()), bundleID: Self.bundleID, appVersion: "1"),
            token: nil)
        for number in 0..<count {
            let wish = PurchaseRequest(payment: PaymentID(UUID()), productID: Self.product(number), quantity: 1, appAccountToken: nil)
            _ = try await line.call(DeviceEndpoints.purchase, wish, token: signIn.token)
        }
        var request = RestoreRequest(request: UUID(), appAccountToken: nil)
        var pages: [RestoreReply] = []
        repeat {
            let page = try await line.call(DeviceEndpoints.restore, request, token: signIn.token)
            pages.append(page)
            request.after = page.next
        } while request.after != nil
        return (pages, signIn)
    }
}
