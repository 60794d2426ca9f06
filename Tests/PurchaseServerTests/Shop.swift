import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOFoundationCompat
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

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
    let client: any TestClientProtocol

    /// Opens a shop for `body` and closes it afterwards.
    static func open(
        database: DatabaseLocation = .memory,
        productionURL: HTTPURL? = nil,
        logger: Logger = .silent,
        _ body: @Sendable @escaping (Shop) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try bookText.write(to: folder.file("book.txt"))
            let appStore = FakeAppStore()
            var configuration = try Self.configuration(contentFolder: folder.url.path())
            configuration.database = database
            try await appStore.application.test(.live) { [configuration] store in
                var configuration = configuration
                let port = try #require(store.port)
                configuration.verifyReceiptProductionURL = productionURL ?? "http://127.0.0.1:\(port)/production"
                configuration.verifyReceiptSandboxURL = "http://127.0.0.1:\(port)/sandbox"
                let clock = ManualClock()
                let server = try await PurchaseServer(configuration: configuration, clock: clock, logger: logger)
                try await server.application(hostname: "127.0.0.1", port: 0) { _ in }.test(.live) { client in
                    try await body(Shop(folder: folder, clock: clock, appStore: appStore, server: server, client: client))
                }
            }
        }
    }

    static func configuration(contentFolder: String) throws -> PurchaseServerConfiguration {
        PurchaseServerConfiguration(
            bundleID: .test,
            environment: .sandbox,
            roots: try TestAuthority.shared.roots,
            sharedSecret: "0123456789abcdef0123456789abcdef",
            products: [
                ServerProduct(id: .credits5, credits: 5),
                ServerProduct(id: .book, file: "book.txt"),
                ServerProduct(id: .magazine, file: "book.txt"),
                ServerProduct(id: "lost", file: "lost.txt"),
            ],
            contentFolder: contentFolder,
            database: .memory
        )
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
    func get(_ path: String, _ headers: HTTPFields = [:], method: HTTPRequest.Method = .get) async throws -> Answer {
        try await client.execute(uri: path, method: method, headers: headers) { response in
            Answer(status: response.status, headers: response.headers, body: Data(buffer: response.body))
        }
    }

    func post(_ path: String, _ body: Data) async throws -> Answer {
        try await client.execute(uri: path, method: .post, body: ByteBuffer(data: body)) { response in
            Answer(status: response.status, headers: response.headers, body: Data(buffer: response.body))
        }
    }

    func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, _ parameters: [String: String] = [:]
    ) async throws -> Answer {
        let path = endpoint.path(parameters)
        return switch endpoint.method {
        case .get: try await get(path)
        case .post: try await post(path, WireJSON.encode(body))
        case .delete:
            try await client.execute(uri: path, method: .delete) { response in
                Answer(status: response.status, headers: response.headers, body: Data(buffer: response.body))
            }
        }
    }

    func record(_ payload: TransactionPayload, by authority: TestAuthority = .shared) async throws -> Answer {
        let signed = try authority.signedData.sign(payload)
        return try await call(ServerEndpoints.transactions, RecordTransactionRequest(signedTransaction: signed))
    }

    func notify(_ payload: NotificationPayload, by authority: TestAuthority = .shared) async throws -> Answer {
        let signed = try authority.signedData.sign(payload)
        return try await call(ServerEndpoints.notifications, NotificationRequest(signedPayload: signed))
    }

    func ticket(
        _ product: ProductID = .book, _ transactions: [TransactionPayload] = [.bookSale], bundle: BundleID = .test,
        by authority: TestAuthority = .shared
    ) async throws -> Answer {
        let receipt = try authority.receipts.issue(.sample(transactions, bundle: bundle))
        let request = ContentTicketRequest(receipt: Data(receipt))
        return try await call(ServerEndpoints.contentTicket, request, ["product": product.rawValue])
    }

    func content(
        _ ticket: String, of product: ProductID = .book, _ headers: HTTPFields = [:], method: HTTPRequest.Method = .get
    ) async throws -> Answer {
        try await get("\(ServerEndpoints.content.path(["product": product.rawValue]))?ticket=\(ticket)", headers, method: method)
    }

    func balance(of customer: CustomerID = customer) async throws -> Int {
        try await call(ServerEndpoints.balance, Empty(), ["customer": customer.rawValue]).value(BalanceReply.self).balance
    }

    func spend(_ amount: Int, _ spending: String) async throws -> Answer {
        let request = SpendRequest(spending: spending, amount: amount)
        return try await call(ServerEndpoints.spend, request, ["customer": Self.customer.rawValue])
    }

    func access(to product: ProductID) async throws -> Access {
        let parameters = ["customer": Self.customer.rawValue, "product": product.rawValue]
        return try await call(ServerEndpoints.access, Empty(), parameters).value(AccessReply.self).access
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
