import Foundation
import HTTPTypes
import Hummingbird
import LocalAppStore
import MonkeyShopBackend
import NIOCore
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import PurchaseServer
import PurchaseStorage
import PurchaseTestSupport
import ServerProtocol
import StoreKit
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing
import Wire
import WireClient

@testable import MonkeyShop

@Suite struct ShopTests {
    private let phone: Phone
    private let server: HTTPURL
    private let customer = CustomerID(UUID())
    private let credentials: ServerCredentials
    private let secretKey: String

    init() async throws {
        let phone = try await Phone()
        let content = phone.folder.file("server-content").path(percentEncoded: false)
        try SampleBackend.writeContent(to: content)
        let server = try await PurchaseServer(
            configuration: PurchaseServerConfiguration(
                apps: [
                    AppConfiguration(
                        bundleID: MonkeyShopSample.bundleID,
                        products: PurchaseServerConfiguration.loadProducts(json: MonkeyShopSample.products),
                        content: .folder(content),
                        verifyReceiptProductionURL: "\(phone.harness.url)/production",
                        verifyReceiptSandboxURL: "\(phone.harness.url)/sandbox"
                    )
                ],
                environment: .sandbox,
                roots: TrustedRoots.apple(and: phone.harness.store.rootsPEM, in: [.sandbox]),
                database: .memory
            ),
            logger: .silent
        )
        self.phone = phone
        self.server = try await StoreHarness.serve { server.application(hostname: "127.0.0.1", port: 0, onServerRunning: $0) }
        let keys = try #require(server.apiKeys(of: MonkeyShopSample.bundleID))
        secretKey = try await keys.create(.secret).text
        credentials = ServerCredentials(
            publishableKey: try await keys.create(.publishable).text,
            customerToken: try await Self.createCustomer(customer, on: self.server, secretKey),
            verificationKeys: server.verificationKeys(of: MonkeyShopSample.bundleID))
    }

    /// Creates a customer on the server, and returns the customer's token.
    private static func createCustomer(_ customer: CustomerID, on server: HTTPURL, _ secretKey: String) async throws -> String {
        try await WireClient(baseURL: server).call(
            ServerEndpoints.createCustomer, CreateCustomerRequest(customer: customer), token: secretKey
        ).token
    }

    private var client: BackendClient { BackendClient(server, .app(credentials)) }

    private func launch(
        _ phone: Phone? = nil, server: HTTPURL? = nil, as newCustomer: (id: CustomerID, token: String)? = nil
    ) async throws -> LaunchedApp {
        var credentials = credentials
        if let newCustomer { credentials.customerToken = newCustomer.token }
        let device = try (phone ?? self.phone).launch()
        let shop = try await LaunchedApp(
            on: device,
            MonkeyShopConfiguration(
                folder: device.configuration.folder, serverURL: server ?? self.server, customer: newCustomer?.id ?? customer,
                credentials: credentials, extraRoots: device.configuration.rootsPEM))
        await shop.waitUntilIdle()
        return shop
    }

    private func buy(_ id: ProductID, quantity: Int = 1, in shop: LaunchedApp) async throws -> PurchaseOutcome {
        let outcome = await shop.run { await $0.buy(id, quantity: quantity) }
        await shop.waitUntilIdle()
        return outcome
    }

    @Test func `the product listing has the products that are listed and sold, in the list's order`() async throws {
        let listing = try await launch().run { app async throws(MonkeyShopError) in try await app.loadProducts() }
        let listed = try PurchaseServerConfiguration.loadProducts(json: MonkeyShopSample.products).map(\.id)
        #expect(listing.products.map(\.id) == listed.filter { $0 != MonkeyShopProduct.winterHat })
        #expect(listing.unavailableProducts == [MonkeyShopProduct.winterHat])
        #expect(listing.product(MonkeyShopProduct.winterHat) == nil)
    }

    @Test func `a purchase is credited once, on the device and the server, and survives a relaunch`() async throws {
        do {
            let shop = try await launch()
            guard case .purchased(_, .delivered) = try await buy(MonkeyShopProduct.credits5, quantity: 4, in: shop) else {
                Issue.record("The purchase was not delivered.")
                return
            }
            #expect(await shop.shop.balance() == 20)
            await shop.close()
        }
        let shop = try await launch()
        #expect(await shop.shop.balance() == 20)
        #expect(try await client.credits() == 20)
        #expect(shop.paymentQueue.transactions.isEmpty)
        #expect(try await phone.charges.count == 1)
    }

    @Test func `the book is downloaded, verified and kept`() async throws {
        let shop = try await launch()
        #expect(await shop.run { await $0.openBook() } == .notPurchased)
        guard case .purchased(_, .delivered) = try await buy(MonkeyShopProduct.book, in: shop) else {
            Issue.record("The purchase was not delivered.")
            return
        }
        #expect(await shop.run { await $0.openBook() } == .firstLine("The monkey had kept every receipt since the first banana."))
        #expect(try await client.entitlement(MonkeyShopProduct.book.rawValue).isActive)
        #expect(await MonkeyShop.hasContent(shop, MonkeyShopProduct.book))
        let again = try await launch()
        #expect(await again.run { await $0.openBook() } != .notPurchased)
    }

    @Test func `a restore on another phone delivers the book without a receipt refresh`() async throws {
        let owner = try await launch()
        guard case .purchased(_, .delivered) = try await buy(MonkeyShopProduct.book, in: owner) else {
            Issue.record("The purchase was not delivered.")
            return
        }
        let other = try await Phone(account: phone.account)
        defer { withExtendedLifetime(other.folder) {} }
        let second = try await launch(other)
        guard case .completed(let difference) = await second.run({ await $0.restore([MonkeyShopProduct.book]) }) else {
            Issue.record("The restore did not complete.")
            return
        }
        #expect(difference.gained == [MonkeyShopProduct.book], "\(difference)")
        #expect(await second.run { await $0.openBook() } != .notPurchased)
    }

    /// Starts a proxy of the server that changes the headers of requests and the bodies of responses.
    private func proxy(
        headers changeHeaders: @escaping @Sendable (inout [String: String]) -> Void = { _ in },
        body changeBody: @escaping @Sendable (inout Data) -> Void = { _ in }
    ) async throws -> HTTPURL {
        try await StoreHarness.serve { onServerRunning in
            let router = Router()
            for method in [HTTPRequest.Method.get, .post] {
                router.on("/**", method: method) { [server] request, _ in
                    var headers = Dictionary(request.headers.map { ($0.name.rawName, $0.value) }) { first, _ in first }
                    headers["Content-Length"] = nil
                    changeHeaders(&headers)
                    let content = Data(try await request.body.collect(upTo: 1 << 20).readableBytesView)
                    let answer = try await WireClient(baseURL: server).answer(
                        method.rawValue, request.uri.string, headers, method == .post ? content : nil)
                    var body = Data(answer.body)
                    changeBody(&body)
                    var fields = HTTPFields()
                    for (name, value) in answer.headers where name.lowercased() != "content-length" {
                        if let name = HTTPField.Name(name) { fields[name] = value }
                    }
                    return Response(status: .init(code: answer.status), headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: body)))
                }
            }
            return Application(
                router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { await onServerRunning($0.localAddress?.port ?? 0) })
        }
    }

    @Test func `an authentic answer about another customer is not believed`() async throws {
        let token = try await Self.createCustomer(CustomerID(UUID()), on: server, secretKey)
        let swapping = try await proxy(headers: { $0 = $0.filter { $0.key.lowercased() != ServerHeader.customerToken.lowercased() } })
        let replacing = try await proxy(headers: { headers in
            headers = headers.filter { $0.key.lowercased() != ServerHeader.customerToken.lowercased() }
            headers[ServerHeader.customerToken] = token
        })
        let debit = DebitRequest(idempotencyKey: "hat", amount: 1)
        for url in [swapping, replacing] {
            let client = ServerClient(serverURL: url, credentials: credentials)
            let balances = await #expect(throws: WireClientError.self) { try await client.call(ServerEndpoints.balances, Empty()) }
            let debited = await #expect(throws: WireClientError.self) { try await client.call(ServerEndpoints.debit, debit) }
            let products = await #expect(throws: WireClientError.self) { try await client.call(ServerEndpoints.products, Empty()) }
            for error in [balances, debited, products] {
                guard case .invalidResponse = error else {
                    Issue.record("The client accepted the answer: \(String(describing: error))")
                    continue
                }
            }
        }
        let unchanged = try await proxy()
        let balances = try await ServerClient(serverURL: unchanged, credentials: credentials).call(ServerEndpoints.balances, Empty())
        #expect(balances.amount() == 0)
    }

    @Test func `a balance that a proxy changes on the way is not believed`() async throws {
        let shop = try await launch()
        guard case .purchased(_, .delivered) = try await buy(MonkeyShopProduct.credits5, in: shop) else {
            Issue.record("The purchase was not delivered.")
            return
        }
        let proxy = try await proxy(body: { body in
            body = Data(String(decoding: body, as: UTF8.self).replacing(#""amount":5"#, with: #""amount":900000"#).utf8)
        })
        #expect(try await client.credits() == 5)
        let proxied = ServerClient(serverURL: proxy, credentials: credentials)
        let refusal = await #expect(throws: WireClientError.self) { try await proxied.call(ServerEndpoints.balances, Empty()) }
        guard case .invalidResponse = refusal else {
            Issue.record("The client accepted the balance: \(String(describing: refusal))")
            return
        }
        // The client accepts other answers, which the proxy does not change.
        let entitlement = try await proxied.call(
            ServerEndpoints.entitlement, Empty(), parameters: ["entitlement": MonkeyShopProduct.book.rawValue])
        #expect(!entitlement.isActive)
        await shop.close()
        let deceived = try await launch(server: proxy)
        #expect(await deceived.shop.balance() == 5)
        #expect(await deceived.shop.purchases.state.problems.contains { $0.kind == .serverUnreachable })
    }

    @Test func `a book is delivered even if the receipt request failed, because the signed transaction proves it`() async throws {
        let shop = try await launch()
        phone.transport.fail(DeviceEndpoints.receipt, .offline, .offline)
        guard case .purchased(_, .delivered) = try await buy(MonkeyShopProduct.book, in: shop) else {
            Issue.record("The purchase was not delivered.")
            return
        }
        #expect(await shop.run { await $0.openBook() } != .notPurchased)
        #expect(try await phone.charges.count == 1)
    }

    @Test func `the book stays readable while the server is unreachable`() async throws {
        let shop = try await launch()
        guard case .purchased(_, .delivered) = try await buy(MonkeyShopProduct.book, in: shop) else {
            Issue.record("The purchase was not delivered.")
            return
        }
        await shop.close()
        let cut = try await launch(server: "http://127.0.0.1:1")
        #expect(await cut.run { await $0.openBook() } == .firstLine("The monkey had kept every receipt since the first banana."))
    }

    @Test func `a purchase stays undelivered while the server is unreachable, and is delivered at the next launch`() async throws {
        let shop = try await launch()
        _ = try await shop.run { app async throws(MonkeyShopError) in try await app.loadProducts() }
        await shop.close()
        let cut = try await launch(server: "http://127.0.0.1:1")
        guard case .purchased(_, .delayed) = await cut.run({ await $0.buy(MonkeyShopProduct.credits10) }) else {
            Issue.record("The delivery of the purchase was not delayed.")
            return
        }
        await cut.run { await $0.retry() }
        #expect(cut.paymentQueue.transactions.count == 1)
        #expect(await cut.shop.balance() == 0)
        await cut.close()
        let back = try await launch()
        #expect(await back.shop.balance() == 10)
        #expect(back.paymentQueue.transactions.isEmpty)
    }

    @Test func `a second phone restores the chosen products, and the server has its credits`() async throws {
        let shop = try await launch()
        for id in [MonkeyShopProduct.sepia, MonkeyShopProduct.moonlight, MonkeyShopProduct.credits5] { _ = try await buy(id, in: shop) }
        let secondPhone = try await Phone(account: phone.account)
        let second = try await launch(secondPhone)
        try await second.run { _ in try await MonkeyShop.refreshReceipt() }
        guard case .completed(let difference) = await second.run({ await $0.restore([MonkeyShopProduct.sepia]) }) else {
            Issue.record("The restore did not complete.")
            return
        }
        #expect(difference.gained == [MonkeyShopProduct.sepia])
        #expect(difference.declined == [MonkeyShopProduct.moonlight])
        #expect(await second.shop.balance() == 5)
        #expect(try await client.credits() == 5)
        withExtendedLifetime(secondPhone) {}
    }

    @Test(arguments: [false, true])
    func `a restore moves the purchases of an earlier anonymous customer`(isOnSamePhone: Bool) async throws {
        let book = MonkeyShopProduct.book
        let first = try await launch()
        _ = try await buy(book, in: first)
        await first.close()
        let secondPhone = try await Phone(account: phone.account)
        let customer = CustomerID(UUID())
        let token = try await Self.createCustomer(customer, on: server, secretKey)
        let second = try await launch(isOnSamePhone ? phone : secondPhone, as: (customer, token))
        #expect(await second.run { await $0.openBook() } == .notPurchased)
        guard case .completed(let difference) = await second.run({ await $0.restore([book]) }) else {
            Issue.record("The restore did not complete.")
            return
        }
        #expect(difference.gained == [book])
        #expect(difference.previousOwners[book]?.customer == self.customer)
        #expect(difference.previousOwners[book]?.rule == .transferred)
        #expect(await second.run { await $0.openBook() } != .notPurchased)
        withExtendedLifetime(secondPhone) {}
    }

    @Test func `loading products in airplane mode throws an error`() async throws {
        let shop = try await launch()
        try await shop.device.change { $0.airplaneMode = true }
        await #expect(throws: MonkeyShopError.self) {
            try await shop.run { app async throws(MonkeyShopError) in try await app.loadProducts() }
        }
        await shop.waitUntilIdle()
    }

    @Test func `a modified vault prevents the shop from opening`() async throws {
        let path = MonkeyShop.vaultPath(in: phone.configuration.folder)
        do {
            let shop = try await launch()
            _ = try await buy(MonkeyShopProduct.credits5, in: shop)
        }
        try Data("modified".utf8).write(to: URL(filePath: path))
        await #expect(throws: MonkeyShopError.vault(.tampered)) { _ = try await launch() }
    }

    @Test func `concurrent calls of waitUntilIdle return after all purchases are delivered`() async throws {
        let shop = try await launch()
        // The test's store hosts no content for the song book, so this product can't be delivered.
        let products = try await loadedProducts(shop).filter { $0 != MonkeyShopProduct.songs }
        for product in products { shop.call { $0.add(product) } }
        async let one: Void = shop.waitUntilIdle()
        async let two: Void = shop.waitUntilIdle()
        _ = await (one, two)
        #expect(shop.paymentQueue.transactions.isEmpty)
        #expect(await shop.shop.vault.purchases.count == products.count)
    }

    private func loadedProducts(_ shop: LaunchedApp) async throws -> [ProductID] {
        try await shop.run { app async throws(MonkeyShopError) in try await app.loadProducts() }.products.map(\.id)
    }
}

extension MonkeyShop {
    /// Returns whether a product's content exists at the path in the vault.
    fileprivate static func hasContent(_ shop: LaunchedApp, _ product: ProductID) async -> Bool {
        guard let content = await shop.shop.vault.content(of: product) else { return false }
        return FileManager.default.fileExists(atPath: content.path)
    }
}
