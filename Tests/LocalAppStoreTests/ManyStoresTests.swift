import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

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
        let store = ConnectedStore(client, path: "/stores/\(store.name)")
        guard case .purchased(let signed, _) = try await store.buy(.magazine) else {
            Issue.record("the purchase in store \(number) failed")
            return
        }
        let months = number % 3
        try await store.advance(days: Int64(months) * 31)
        #expect(try await store.charges().count == months + 1, "store \(number)")
        let accounts = try await store.call(ControlEndpoints.accounts, Empty()).accounts
        #expect(accounts.map(\.account) == ["ada@example.com"])

        #expect(try await store.payloads([signed]).map(\.productId) == [.magazine])
        let defaultStore = ConnectedStore(client)
        await #expect(throws: VerificationFailure.self) { try await defaultStore.payloads([signed]) }
    }

    @Test func `a store whose database file can't be deleted stays usable`() async throws {
        struct NotDeleted: Error {}
        try await TemporaryFolder.with { folder in
            let defaultStore = try await LocalAppStore(configuration: .test(), logger: .silent)
            let host = try await StoreHost(
                defaultStore: defaultStore, folder: folder.url.path(), clock: ManualClock(), logger: .silent
            ) { path in if path.hasSuffix(".sqlite") { throw NotDeleted() } }
            _ = try await host.createStore(CreateStoreRequest(name: "kept", isPersistent: true))
            #expect(throws: NotDeleted.self) { try host.remove("kept") }
            #expect(host.names == ["kept"])
        }
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
            let products = try await ConnectedStore(client, path: "/stores/shop")
                .call(ControlEndpoints.products, Empty(), ["bundle": "com.example.shop"])
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

    @Test(arguments: ["{", "[]", "{\"storekit\":7}", "{\"products\":[{}]}", "{\"version\":{\"major\":0,\"minor\":1}}", "\u{0}"])
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
            try await ConnectedStore(client, path: "/stores/kept").buy(.book)
            return store.rootCertificate
        }
        try await Self.host(in: folder.url.path) { client in
            let kept = ConnectedStore(client, path: "/stores/kept")
            let store = try await kept.call(HostEndpoints.currentStore, Empty())
            #expect(store.rootCertificate == roots)
            #expect(store.bundleID == .test)
            #expect(try await kept.charges().map(\.productID) == [.book])
        }
    }

    // MARK: Helpers

    private static func host<Value: Sendable>(
        in folder: String? = nil, _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        let defaultStore = try await LocalAppStore(configuration: .test(), clock: ManualClock(), logger: .silent)
        let host = try await StoreHost(defaultStore: defaultStore, folder: folder, clock: ManualClock(), logger: .silent)
        return try await host.application(hostname: "127.0.0.1", port: 0).test(.router) { try await body($0) }
    }

    private static func make(_ client: any TestClientProtocol, name: String) async throws -> StoreDescription {
        try await make(
            client, CreateStoreRequest(name: name, storekit: JSONText(Data(TestCatalog.storekit.utf8)), bundleID: .test))
    }

    private static func make(_ client: any TestClientProtocol, _ request: CreateStoreRequest) async throws -> StoreDescription {
        try await ConnectedStore(client).call(HostEndpoints.createStore, request)
    }
}
