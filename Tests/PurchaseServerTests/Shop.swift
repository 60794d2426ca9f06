import ContentStorage
import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOFoundationCompat
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

extension ProductID {
    static let credits5: ProductID = "com.example.monkeyshop.credits5"
    static let book: ProductID = "com.example.monkeyshop.book"
    static let magazine: ProductID = "com.example.monkeyshop.magazine"
}

/// A running server with a content folder, a clock and a fake App Store.
struct Shop: Sendable {
    static let customer = CustomerID("0b0b0b0b-1111-4222-8333-444444444444")
    static let bookText = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    let folder: TemporaryFolder
    let clock: ManualClock
    let appStore: FakeAppStore
    let server: PurchaseServer
    /// The storage of ``server``; nil for a storage that does not check its statements.
    var storage: CheckedStorage?
    let client: any TestClientProtocol
    /// The keys of the app and of its backend.
    let keys: Keys
    /// The token of ``customer``.
    let customerToken: String

    /// API keys of the shop.
    struct Keys: Sendable {
        let publishable: String
        let secret: String
        let admin: String
    }

    /// A change of the app's configuration.
    struct Change: Sendable {
        let body: @Sendable (inout AppConfiguration) -> Void

        init(_ body: @escaping @Sendable (inout AppConfiguration) -> Void) {
            self.body = body
        }
    }

    /// Opens a shop for `body` and closes it afterwards.
    static func open(
        database: PurchaseDatabase? = nil,
        productionURL: HTTPURL? = nil,
        logger: Logger = .silent,
        change: Change = Change { _ in },
        rates: RequestRates = RequestRates(),
        proxies: TrustedProxies = TrustedProxies(),
        metricsToken: String? = nil,
        transportClock: (any WallClock)? = nil,
        _ body: @Sendable @escaping (Shop) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try bookText.write(to: folder.file("book.txt"))
            let appStore = FakeAppStore()
            var configuration = try Self.configuration(contentFolder: folder.url.path())
            configuration.database = if let database { database } else { try await ShopDatabase.make() }
            if case .postgres = configuration.database { configuration.secretKeyFile = folder.file("server.key").path() }
            try await appStore.application.test(.live) { [configuration] store in
                var configuration = configuration
                let port = try #require(store.port)
                configuration.apps[0].verifyReceiptProductionURL = productionURL ?? "http://127.0.0.1:\(port)/production"
                configuration.apps[0].verifyReceiptSandboxURL = "http://127.0.0.1:\(port)/sandbox"
                configuration.requestRates = rates
                configuration.trustedProxies = proxies
                configuration.metricsToken = metricsToken
                change.body(&configuration.apps[0])
                let clock = ManualClock()
                let storage = CheckedStorage(try await PurchaseServer.open(configuration.database))
                let server = try await PurchaseServer(
                    configuration: configuration, storage: storage, clock: clock, transportClock: transportClock ?? clock, logger: logger,
                    comparison: PolicyReplay.catalogComparison)
                try await server.application(hostname: "127.0.0.1", port: 0) { _ in }.test(.live) { client in
                    let service = try #require(server.apiKeys(of: .test))
                    let keys = Keys(
                        publishable: try await service.create(.publishable).text, secret: try await service.create(.secret).text,
                        admin: try await service.create(.admin).text)
                    let customers = try #require(server.apps[.test]?.customers)
                    let token = try await customers.issueToken(for: .id(Self.customer)).token
                    try await body(
                        Shop(
                            folder: folder, clock: clock, appStore: appStore, server: server, storage: storage, client: client, keys: keys,
                            customerToken: token))
                }
                #expect(storage.violations == [])
            }
        }
    }

    static func configuration(contentFolder: String) throws -> PurchaseServerConfiguration {
        var configuration = PurchaseServerConfiguration(
            apps: [
                AppConfiguration(
                    bundleID: .test,
                    products: [
                        ServerProduct(id: .credits5, credits: 5),
                        ServerProduct(id: .book, file: "book.txt"),
                        ServerProduct(id: .magazine, file: "book.txt"),
                        ServerProduct(id: "lost", file: "lost.txt"),
                    ],
                    content: .folder(contentFolder),
                    sharedSecret: "0123456789abcdef0123456789abcdef",
                    receiptConfirmation: .hard
                )
            ],
            environment: .sandbox,
            roots: try TestAuthority.shared.roots,
            database: .memory
        )
        configuration.apps[0].entitlements = ["beta"]
        configuration.apps[0].currencies = ["gems"]
        return configuration
    }
}

/// A response: status, headers and body.
struct Answer {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let body: Data

    /// Returns the decoded body, and throws if the body has another format.
    func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try WireJSON.decode(type, from: body)
    }

    /// The error code of a refusal, or nil.
    var code: String? { try? value(WireError.self).code }
}

extension Shop {
    /// The sender of a request.
    enum Sender: Sendable {
        /// The app with its publishable key, for the customer of a token; nil for none.
        case app(String?)
        /// The app's backend with its secret key, for a customer; nil for none.
        case backend(String?)
        /// A request with these headers.
        case headers(HTTPFields)
    }

    /// The app with the token of ``customer``.
    var app: Sender { .app(customerToken) }
    /// The backend for ``customer``.
    var backend: Sender { .backend(Self.customer.rawValue) }

    private func headers(_ sender: Sender) -> HTTPFields {
        switch sender {
        case .app(let token):
            var headers: HTTPFields = [.authorization: "Bearer \(keys.publishable)"]
            headers[.customerToken] = token
            return headers
        case .backend(let customer):
            var headers: HTTPFields = [.authorization: "Bearer \(keys.secret)"]
            headers[.customer] = customer
            return headers
        case .headers(let headers): return headers
        }
    }

    func get(_ path: String, _ headers: HTTPFields = [:], method: HTTPRequest.Method = .get) async throws -> Answer {
        try await send(method, path, .headers(headers))
    }

    func post(_ path: String, _ body: Data, by sender: Sender = .headers([:])) async throws -> Answer {
        try await send(.post, path, sender, body)
    }

    func send(_ method: HTTPRequest.Method, _ path: String, _ sender: Sender, _ body: Data? = nil) async throws -> Answer {
        try await client.execute(uri: path, method: method, headers: headers(sender), body: body.map { ByteBuffer(data: $0) }) { response in
            Answer(status: response.status, headers: response.headers, body: Data(buffer: response.body))
        }
    }

    /// Calls an endpoint; the default sender is the backend for ``customer``.
    func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, _ parameters: [String: String] = [:], query: String = "",
        by sender: Sender? = nil
    ) async throws -> Answer {
        let method = HTTPRequest.Method(rawValue: endpoint.method.rawValue) ?? .get
        let content = endpoint.method == .post ? try WireJSON.encode(body) : nil
        return try await send(method, endpoint.path(parameters) + query, sender ?? backend, content)
    }

    /// Submits proofs, by default by the backend without a customer, so that tokens attribute the purchases.
    func submit(
        _ proofs: [PurchaseProofInput], device: UUID? = nil, vendorID: DeviceID? = nil, by sender: Sender = .backend(nil)
    ) async throws -> SubmitPurchasesReply {
        let request = SubmitPurchasesRequest(proofs: proofs, deviceVerificationID: device, vendorID: vendorID)
        return try await call(ServerEndpoints.purchases, request, by: sender).value()
    }

    /// Submits a transaction, and returns its result.
    @discardableResult
    func record(
        _ payload: TransactionPayload, signer authority: TestAuthority = .shared, device: UUID? = nil, by sender: Sender = .backend(nil)
    ) async throws -> ProofResult {
        let proof = PurchaseProofInput(signedTransaction: try authority.signedData.sign(payload))
        return try #require(try await submit([proof], device: device, by: sender).results.first)
    }

    /// Submits an app receipt with purchases, and returns its result.
    @discardableResult
    func recordReceipt(
        _ transactions: [TransactionPayload] = [.bookSale], bundle: BundleID = .test, signer authority: TestAuthority = .shared,
        by sender: Sender? = nil
    ) async throws -> ProofResult {
        let receipt = try authority.receipts.issue(.sample(transactions, bundle: bundle))
        return try #require(try await submit([PurchaseProofInput(receipt: Data(receipt))], by: sender ?? backend).results.first)
    }

    func notify(_ payload: NotificationPayload, by authority: TestAuthority = .shared) async throws -> Answer {
        let signed = try authority.signedData.sign(payload)
        return try await call(ServerEndpoints.notifications, NotificationRequest(signedPayload: signed), by: .headers([:]))
    }

    /// Requests a download token, by default by the app.
    func downloadToken(_ product: ProductID = .book, by sender: Sender? = nil) async throws -> Answer {
        try await call(ServerEndpoints.downloadToken, Empty(), ["product": product.rawValue], by: sender ?? app)
    }

    func content(
        _ token: String, of product: ProductID = .book, query: String = "", _ headers: HTTPFields = [:], method: HTTPRequest.Method = .get
    ) async throws -> Answer {
        var headers = headers
        headers[.authorization] = "Bearer \(token)"
        return try await get(ServerEndpoints.content.path(["product": product.rawValue]) + query, headers, method: method)
    }

    func manifest(_ token: String, of product: ProductID = .book, query: String = "", _ headers: HTTPFields = [:]) async throws -> Answer {
        var headers = headers
        headers[.authorization] = "Bearer \(token)"
        return try await get(ServerEndpoints.contentManifest.path(["product": product.rawValue]) + query, headers)
    }

    /// Publishes bytes as a version of a product's item.
    @discardableResult
    func publish(
        _ bytes: Data, item: ContentItemName = .main, version: ContentVersionName? = nil, fileName: String? = nil,
        mediaType: String? = nil, product: ProductID = .book
    ) async throws -> (version: ContentVersion, isNew: Bool) {
        let path = folder.file(".\(UUID().uuidString)").path()
        try bytes.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await publisher.publish(
            path,
            as: ContentPublication(
                product: product, item: item, version: version, fileName: fileName ?? "book.txt",
                mediaType: mediaType.map { try MediaType($0) }))
    }

    /// The publisher of the app's content.
    var publisher: ContentPublisher {
        get throws { try #require(server.contentPublisher(of: .test)) }
    }

    func balance(of customer: CustomerID = customer) async throws -> Int64 {
        try await call(ServerEndpoints.balances, Empty(), by: .backend(customer.rawValue)).value(BalancesReply.self).amount()
    }

    func debit(_ amount: Int64, _ key: String, by sender: Sender? = nil) async throws -> Answer {
        try await call(ServerEndpoints.debit, DebitRequest(idempotencyKey: key, amount: amount), by: sender)
    }

    func entitlement(to name: EntitlementName, query: String = "", by sender: Sender? = nil) async throws -> EntitlementReply {
        try await call(ServerEndpoints.entitlement, Empty(), ["entitlement": name.rawValue], query: query, by: sender).value()
    }

    func entitlement(to product: ProductID) async throws -> EntitlementReply {
        try await entitlement(to: EntitlementName(product.rawValue))
    }
}

extension TransactionPayload {
    /// A transaction for five credits of the shop's customer.
    static let creditSale = sale(.credits5, .consumable, id: "2000000000000001")
    /// A transaction for the book of the shop's customer.
    static let bookSale = sale(.book, .nonConsumable, id: "2000000000000002")

    static func sale(_ product: ProductID, _ type: ProductType, id: TransactionID, expires: Timestamp? = nil) -> TransactionPayload {
        var payload = TransactionPayload.sample(id: id, product: product, type: type, expires: expires)
        payload.appAccountToken = Shop.customer
        return payload
    }

    /// Returns the payload with changes.
    func with(_ change: (inout TransactionPayload) -> Void) -> TransactionPayload {
        var copy = self
        change(&copy)
        return copy
    }

    /// Returns the payload as it is signed for one device.
    func bound(to device: UUID) -> TransactionPayload {
        let binding = DeviceBinding(nonce: UUID(), deviceVerificationID: device)
        return with {
            $0.deviceVerificationNonce = binding.nonce.uuidString.lowercased()
            $0.deviceVerification = binding.deviceVerification
        }
    }

    /// Returns the payload as refunded and signed `seconds` after the purchase.
    func refunded(after seconds: Int64 = 100) -> TransactionPayload {
        with {
            $0.revocationDate = purchaseDate.adding(seconds: seconds)
            $0.revocationReason = 0
            $0.signedDate = purchaseDate.adding(seconds: seconds)
        }
    }
}

extension NotificationPayload {
    /// Returns a notification about a purchase, with nested data that `authority` signed.
    static func about(
        _ transaction: TransactionPayload, _ renewal: RenewalInfoPayload? = nil, type: String, uuid: String = UUID().uuidString,
        by authority: TestAuthority = .shared
    ) throws -> NotificationPayload {
        try .sample(
            type: type, uuid: uuid, transaction: authority.signedData.sign(transaction),
            renewalInfo: renewal.map { try authority.signedData.sign($0) }, date: transaction.signedDate
        )
    }
}
