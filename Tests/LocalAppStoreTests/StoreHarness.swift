import Foundation
import GRDB
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

@testable import LocalAppStore

/// A store with a manual base clock, and a client for its router.
struct StoreHarness: Sendable {
    let store: LocalAppStore
    let clock: ManualClock
    let client: any TestClientProtocol
    let verifier: SignedDataVerifier

    /// Runs `body` with a new store.
    @discardableResult
    static func run<Result>(
        at location: DatabaseLocation = .memory,
        clock: ManualClock = ManualClock(),
        secret: String? = nil,
        retries: NotificationRetries = .production,
        timeout: Duration? = nil,
        storekit: String = TestCatalog.storekit,
        over setup: TestingSetup = .router,
        makeAuthority: @escaping @Sendable (Timestamp) throws -> CertificateAuthority = { _ in TestAuthority.shared.authority },
        _ body: @Sendable (StoreHarness) async throws -> Result
    ) async throws -> Result {
        var configuration = LocalAppStoreConfiguration(
            bundleID: .test, catalog: try Catalog(storekit: Data(storekit.utf8)), database: location, sharedSecret: secret
        )
        configuration.notificationRetries = retries
        if let timeout { configuration.notificationTimeout = timeout }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = try await LocalAppStore(configuration: configuration, clock: clock, logger: logger, makeAuthority: makeAuthority)
        let roots = try TrustedRoots.apple(and: store.rootsPEM, in: [.sandbox])
        let verifier = SignedDataVerifier(roots: roots, bundleID: .test, environments: [.sandbox])
        return try await store.application(hostname: "127.0.0.1", port: 0).test(setup) { client in
            try await body(StoreHarness(store: store, clock: clock, client: client, verifier: verifier))
        }
    }

    /// Calls an endpoint; throws ``Refused`` for an error response.
    func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, _ parameters: [String: String] = [:], token: String? = nil
    ) async throws -> Response {
        var headers: HTTPFields = [:]
        headers[.authorization] = token.map { "Bearer \($0)" }
        let buffer = endpoint.method == .post ? ByteBuffer(data: try WireJSON.encode(body)) : nil
        let response = try await send(endpoint.method == .post ? .post : .get, endpoint.path(parameters), headers, buffer)
        let data = Data(buffer: response.body)
        guard response.status == .ok else {
            throw Refused(status: response.status.code, code: try WireJSON.decode(WireError.self, from: data).code)
        }
        return try WireJSON.decode(Response.self, from: data)
    }

    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields = [:], _ body: ByteBuffer? = nil
    ) async throws -> TestResponse {
        try await client.executeRequest(uri: uri, method: method, headers: headers, body: body)
    }

    /// Creates an account if necessary, and signs it in on a device.
    func phone(
        _ account: AccountID = "ada@example.com", device: DeviceID = .test, version: String = "1.0", askToBuyEnabled: Bool = false
    ) async throws -> Phone {
        _ = try await call(
            ControlEndpoints.createAccount, CreateAccountRequest(account: account, password: "secret", askToBuyEnabled: askToBuyEnabled))
        let request = SignInRequest(account: account, password: "secret", device: device, bundleID: .test, appVersion: version)
        return Phone(harness: self, account: account, device: device, token: try await call(DeviceEndpoints.signIn, request).token)
    }

    func advance(days: Int64) async throws {
        _ = try await call(ControlEndpoints.advance, AdvanceRequest(seconds: days * 86_400))
    }

    func charges(of account: AccountID = "ada@example.com") async throws -> [Charge] {
        try await call(ControlEndpoints.charges, Empty(), ["account": account.rawValue]).charges
    }

    func setPaymentMethod(isValid: Bool, of account: AccountID = "ada@example.com") async throws {
        _ = try await call(ControlEndpoints.setPaymentMethod, PaymentMethodRequest(isValid: isValid), ["account": account.rawValue])
    }

    /// Changes the settings of an account.
    func set(_ account: AccountID, _ change: (inout AccountRequest) -> Void) async throws {
        var request = AccountRequest()
        change(&request)
        _ = try await call(ControlEndpoints.setAccount, request, ["account": account.rawValue])
    }

    /// Performs an action on a subscription.
    @discardableResult
    func perform(_ request: SubscriptionRequest, on transaction: TransactionID) async throws -> SubscriptionDescription {
        try await call(ControlEndpoints.changeSubscription, request, ["transaction": transaction.rawValue])
    }

    /// Sends a receipt to `verifyReceipt` and returns the response as text.
    func verifyReceiptText(_ receipt: Data, at address: String = "sandbox") async throws -> String {
        let request = VerifyReceiptRequest(receiptData: receipt.base64EncodedString(), password: nil, excludeOldTransactions: nil)
        let response = try await send(.post, "/\(address)/verifyReceipt", [:], ByteBuffer(data: try WireJSON.encode(request)))
        return String(buffer: response.body)
    }

    /// Sends a receipt to `verifyReceipt` and returns the decoded response.
    func verifyReceipt<Answer: Decodable>(
        _ receipt: Data, at address: String = "sandbox", _ answer: Answer.Type = VerifyReceiptResponse.self
    ) async throws -> Answer {
        try WireJSON.decode(answer, from: Data(try await verifyReceiptText(receipt, at: address).utf8))
    }

    func refund(_ transaction: TransactionID) async throws {
        _ = try await call(ControlEndpoints.refund, IssueRefund(transactionID: transaction))
    }

    /// The types of the notifications, oldest first, as `TYPE` or `TYPE.SUBTYPE`.
    func notificationTypes() async throws -> [String] {
        try await call(ControlEndpoints.notifications, Empty()).deliveries.map {
            [$0.type, $0.subtype].compactMap { $0 }.joined(separator: ".")
        }
    }

    /// The verified notifications, oldest first.
    func notifications() async throws -> [VerifiedNotification] {
        let signed = try await store.context.read { db in
            try NotificationRecord.fetchAll(db, sql: "SELECT * FROM notifications ORDER BY rowid").map(\.signedPayload)
        }
        var result: [VerifiedNotification] = []
        for notification in signed {
            result.append(try await verifier.verify(notification))
        }
        return result
    }
}

/// An error response of the store.
struct Refused: Error, Equatable {
    var status: Int
    var code: String
}

extension DeviceID {
    static let second: DeviceID = "11112222-3333-4444-5555-666677778888"
}
