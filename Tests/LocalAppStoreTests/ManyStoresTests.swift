import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

struct ManyStoresTests {
    @Test func `two hundred concurrent stores are isolated from each other`() async throws {
        try await Self.host { client in
            try await withThrowingTaskGroup { group in
                for number in 0..<200 {
                    group.addTask { try await Self.exercise(in: try await Self.make(client, name: "store-\(number)"), number, client) }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Buys a subscription in a store, advances the time, and checks the charges, the accounts and the signatures.
    private static func exercise(in store: StoreDescription, _ number: Int, _ client: any TestClientProtocol) async throws {
        let base = "/stores/\(store.name)"
        let buy = BuyRequest(account: "ada@example.com", productID: .magazine)
        guard case .purchased(let signed, _) = try await call(client, base, ControlEndpoints.buy, buy) else {
            Issue.record("the purchase in store \(number) failed")
            return
        }
        let months = number % 3
        let advance = AdvanceRequest(seconds: Int64(months) * 31 * 86_400)
        _ = try await call(client, base, ControlEndpoints.advance, advance)
        let path = ["account": "ada@example.com"]
        let charges = try await call(client, base, ControlEndpoints.charges, Empty(), path).charges
        #expect(charges.count == months + 1, "store \(number)")
        let accounts = try await call(client, base, ControlEndpoints.accounts, Empty()).accounts
        #expect(accounts.map(\.account) == ["ada@example.com"])

        let verifier = SignedDataVerifier(
            roots: try .apple(and: store.rootCertificate, in: [.sandbox]), bundleID: .test, environments: [.sandbox])
        #expect(try await verifier.verify(signed).payload.productId == .magazine)
        let defaultStore = try await call(client, "", Endpoint<Empty, StoreDescription>(.get, "/store"), Empty())
        let otherVerifier = SignedDataVerifier(
            roots: try .apple(and: defaultStore.rootCertificate, in: [.sandbox]), bundleID: .test, environments: [.sandbox])
        await #expect(throws: VerificationFailure.self) { try await otherVerifier.verify(signed) }
    }

    @Test func `a store can be created from a .storekit file, has URLs under its name, and can be deleted`() async throws {
        try await Self.host { client in
            let body = ByteBuffer(string: TestCatalog.storekit)
            let made = try await client.executeRequest(
                uri: "/stores?name=shop&bundleID=com.example.shop", method: .post, headers: [:], body: body)
            #expect(made.status == .created)
            let store = try WireJSON.decode(StoreDescription.self, from: Data(buffer: made.body))
            #expect(store.bundleID == "com.example.shop")
            #expect(store.url.hasSuffix("/stores/shop"))
            #expect(store.sandboxVerifyReceipt == store.url + "/sandbox/verifyReceipt")
            let products = try await Self.call(
                client, "/stores/shop", ControlEndpoints.products, Empty(), ["bundle": "com.example.shop"])
            #expect(products.products.contains { $0.id == .book })
            let again = try await client.executeRequest(uri: "/stores?name=shop", method: .post, headers: [:], body: nil)
            #expect(again.status == .conflict)
            let removed = try await client.executeRequest(uri: "/stores/shop", method: .delete, headers: [:], body: nil)
            #expect(removed.status == .ok)
            let gone = try await client.executeRequest(uri: "/stores/shop/control/v1/clock", method: .get, headers: [:], body: nil)
            #expect(gone.status == .notFound)
        }
    }

    @Test(arguments: ["../../etc", "UPPER", "-a", String(repeating: "a", count: 65), "a b", "a%2Fb"])
    func `a store name that is not valid in a URL path is refused`(_ name: String) async throws {
        try await Self.host { client in
            let body = ByteBuffer(data: try WireJSON.encode(CreateStoreRequest(name: name)))
            let refused = try await client.executeRequest(uri: "/stores", method: .post, headers: [:], body: body)
            #expect(refused.status == .badRequest)
        }
    }

    @Test func `of concurrent requests for one store name, one succeeds, and the name of the default store is taken`() async throws {
        try await Self.host { client in
            @Sendable func make(_ name: String) async throws -> HTTPResponse.Status {
                let body = ByteBuffer(data: try WireJSON.encode(CreateStoreRequest(name: name)))
                return try await client.executeRequest(uri: "/stores", method: .post, headers: [:], body: body).status
            }
            async let (first, second, third) = (make("shop"), make("shop"), make("shop"))
            let made = try await [first, second, third]
            #expect(made.count { $0 == .created } == 1)
            let status = try await make("default")
            #expect(status == .conflict)
        }
    }

    @Test(arguments: ["{", "[]", "{\"storekit\":7}", "{\"products\":[{}]}", "{\"version\":{\"major\":99,\"minor\":0}}", "\u{0}"])
    func `creating a store from an invalid catalog is refused`(_ body: String) async throws {
        try await Self.host { client in
            let refused = try await client.executeRequest(uri: "/stores", method: .post, headers: [:], body: ByteBuffer(string: body))
            #expect(refused.status == .badRequest)
        }
    }

    @Test func `a persistent store is available after the host restarts`() async throws {
        let folder = try TemporaryFolder()
        let roots = try await Self.host(in: folder.url.path) { client in
            let request = CreateStoreRequest(
                name: "kept", storekit: JSONText(Data(TestCatalog.storekit.utf8)), bundleID: .test, isPersistent: true)
            let store = try await Self.make(client, request)
            _ = try await Self.call(client, "/stores/kept", ControlEndpoints.buy, BuyRequest(account: "ada@example.com", productID: .book))
            return store.rootCertificate
        }
        try await Self.host(in: folder.url.path) { client in
            let store = try await Self.call(client, "/stores/kept", Endpoint<Empty, StoreDescription>(.get, "/store"), Empty())
            #expect(store.rootCertificate == roots)
            #expect(store.bundleID == .test)
            let charges = try await Self.call(
                client, "/stores/kept", ControlEndpoints.charges, Empty(), ["account": "ada@example.com"])
            #expect(charges.charges.map(\.productID) == [.book])
        }
    }

    // MARK: Helpers

    private static func host<Value: Sendable>(
        in folder: String? = nil, _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let configuration = LocalAppStoreConfiguration(bundleID: .test, catalog: try TestCatalog.make(), database: .memory)
        let defaultStore = try await LocalAppStore(configuration: configuration, clock: ManualClock(), logger: logger)
        let host = try await StoreHost(defaultStore: defaultStore, folder: folder, clock: ManualClock(), logger: logger)
        return try await host.application(hostname: "127.0.0.1", port: 0).test(.router) { try await body($0) }
    }

    private static func make(_ client: any TestClientProtocol, name: String) async throws -> StoreDescription {
        try await make(
            client, CreateStoreRequest(name: name, storekit: JSONText(Data(TestCatalog.storekit.utf8)), bundleID: .test))
    }

    private static func make(_ client: any TestClientProtocol, _ request: CreateStoreRequest) async throws -> StoreDescription {
        let body = ByteBuffer(data: try WireJSON.encode(request))
        let response = try await client.executeRequest(uri: "/stores", method: .post, headers: [:], body: body)
        return try WireJSON.decode(StoreDescription.self, from: Data(buffer: response.body))
    }

    private static func call<Request, Response>(
        _ client: any TestClientProtocol, _ base: String, _ endpoint: Endpoint<Request, Response>, _ body: Request,
        _ parameters: [String: String] = [:]
    ) async throws -> Response {
        let isPost = endpoint.method == .post
        let buffer = isPost ? ByteBuffer(data: try WireJSON.encode(body)) : nil
        let response = try await client.executeRequest(
            uri: base + endpoint.path(parameters), method: isPost ? .post : .get, headers: [:], body: buffer)
        return try WireJSON.decode(Response.self, from: Data(buffer: response.body))
    }
}
