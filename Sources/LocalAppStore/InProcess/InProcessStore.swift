package import Foundation
import HTTPTypes
import Hummingbird
package import Logging
import NIOCore
import NIOFoundationCompat
import PurchaseIssuing
package import PurchaseModel
package import PurchaseProtocol

/// An in-memory store for tests in the same process, without a socket.
///
/// A request takes the same path as an HTTP request, so that faults, access control and the store's time apply.
package final class InProcessStore: Sendable {
    /// The connection ended without a response, because of a fault.
    package struct ConnectionLost: Error {}

    /// The store.
    package let store: LocalAppStore
    private let responder: StoreResponder
    private let logger: Logger

    /// One certificate authority for all stores of a process, so that a device that trusts its root can use each store in turn.
    private static let authority = Result {
        try CertificateAuthority(storeNamed: "Store of a test session", now: SystemWallClock().now, receiptKeys: ReceiptKeys.shared)
    }

    /// Opens an empty store.
    ///
    /// - Parameter earlier: The previous store of the same devices; transaction numbers continue after its last number. With nil, they
    ///   begin at 0.
    package init(
        bundleID: BundleID, catalog: Catalog, after earlier: InProcessStore? = nil, clock: any WallClock = SystemWallClock(),
        logger: Logger
    ) async throws {
        var configuration = LocalAppStoreConfiguration(bundleID: bundleID, catalog: catalog, database: .memory)
        // The store has no other users, and a test may start a subscription years in the past, so one turn may process many events.
        configuration.eventsPerRequest = StoreLedger.eventLimit
        store = try await LocalAppStore(configuration: configuration, clock: clock, logger: logger) { _ in try Self.authority.get() }
        self.logger = logger
        responder = StoreHost(singleStore: store).responder(.loopback) { _ in }
        try await store.ledger.useXcodeBehavior(firstTransactionNumber: try await earlier?.store.ledger.nextTransactionNumber() ?? 0)
    }

    /// The root certificates that a device must trust, which are the same for every in-process store of the process.
    package static var sharedRootsPEM: String {
        get throws { try authority.get().rootsPEM }
    }

    /// Sends a request, and returns the response when its head is available.
    ///
    /// - Throws: ``ConnectionLost``.
    package func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: Data? = nil
    ) async throws(ConnectionLost) -> InProcessResponse {
        var fields: HTTPFields = [:]
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let head = HTTPRequest(
            method: HTTPRequest.Method(method) ?? .post, scheme: "http", authority: "localhost", path: path, headerFields: fields)
        let connection = InProcessConnection()
        let context = StoreRequestContext(connection, logger: logger)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(data: body ?? Data())))
        do {
            let response = try await responder.respond(to: request, context: context)
            guard !connection.isClosed else { throw ConnectionLost() }
            return InProcessResponse(response)
        } catch {
            throw ConnectionLost()
        }
    }

    /// Calls an endpoint of the control API.
    ///
    /// - Throws: ``InProcessError``.
    @discardableResult
    package func control<Body, Answer>(
        _ endpoint: Endpoint<Body, Answer>, _ body: Body, _ parameters: [String: String] = [:]
    ) async throws -> Answer {
        let data = endpoint.method == .post ? try WireJSON.encode(body) : nil
        let answer = try await send(endpoint.method.rawValue, endpoint.path(parameters), body: data)
        let bytes = try await answer.data()
        guard (200..<300).contains(answer.status) else { throw InProcessError(try WireJSON.decode(WireError.self, from: bytes)) }
        return try WireJSON.decode(Answer.self, from: bytes)
    }

    /// Opens an account and signs the account in on a device.
    package func signIn(_ account: AccountID, device: DeviceID, bundleID: BundleID, appVersion: String) async throws -> SignInReply {
        try await store.ledger.createAccount(CreateAccountRequest(account: account, password: "secret"))
        return try await store.ledger.signIn(
            SignInRequest(account: account, password: "secret", device: device, bundleID: bundleID, appVersion: appVersion))
    }

    /// Processes all due events.
    package func catchUp() async throws {
        try await store.ledger.catchUp()
    }
}
