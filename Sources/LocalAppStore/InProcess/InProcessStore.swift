package import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
package import Logging
import NIOCore
import NIOFoundationCompat
import PurchaseIssuing
package import PurchaseModel
package import StoreProtocol
package import Wire

/// An in-memory store for test sessions, which takes requests in the same process without a network connection.
///
/// Requests pass the same routes and middleware as HTTP requests, so that faults, access control and due events apply to them.
package final class InProcessStore: Sendable {
    /// The error of a request to which the store sent no response, because a fault closed the connection or processing failed.
    package struct ConnectionLost: Error {}

    /// The local App Store that processes the requests.
    package let store: LocalAppStore
    var services: StoreServices { store.storeServices }
    private let responder: StoreResponder
    private let logger: Logger

    /// The certificate authority of all in-process stores of a process, so that a device that trusts it can use each of the stores.
    private static let authority = Result {
        try CertificateAuthority(storeNamed: "Store of a test session", now: SystemWallClock().now, receiptKeys: ReceiptKeys.shared)
    }

    /// Creates a store without accounts and purchases.
    ///
    /// - Parameter earlier: The store that the devices used before; transaction numbers continue after its last number. With nil, they
    ///   begin at 0.
    package init(
        bundleID: BundleID, catalog: Catalog, after earlier: InProcessStore? = nil, clock: any WallClock = SystemWallClock(),
        logger: Logger
    ) async throws {
        var configuration = LocalAppStoreConfiguration(bundleID: bundleID, catalog: catalog, database: .memory)
        // Nothing is reported about the store in Xcode.
        configuration.restoresUnfinishedConsumables = false
        // Only the test waits for the store, and the test may start a subscription years in the past, so one request may process many
        // events.
        configuration.eventsPerRequest = DueEventService.eventLimit
        store = try await LocalAppStore(configuration: configuration, clock: clock, logger: logger) { _ in try Self.authority.get() }
        self.logger = logger
        responder = StoreHost(singleStore: store).responder(.loopback) { _ in }
        try await services.inProcess.useXcodeBehavior(
            firstTransactionNumber: try await earlier?.services.inProcess.nextTransactionNumber() ?? 0)
    }

    /// The root certificate that devices must trust, as PEM, which all in-process stores of the process share.
    package static var sharedRootsPEM: String {
        get throws { try authority.get().rootsPEM }
    }

    /// Sends a request to the store, and returns the response as soon as its head is available.
    ///
    /// - Throws: ``ConnectionLost`` if the store sends no response.
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

    /// Calls an endpoint of the store's control API.
    ///
    /// - Throws: ``InProcessError`` if the store responds with an error, or ``ConnectionLost`` if the store sends no response.
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

    /// Creates an account, unless it exists, and signs it in on a device.
    package func signIn(_ account: AccountID, device: DeviceID, bundleID: BundleID, appVersion: String) async throws -> SignInReply {
        try await services.accounts.createAccount(CreateAccountRequest(account: account, password: "secret"))
        return try await services.sessions.signIn(
            SignInRequest(account: account, password: "secret", device: device, bundleID: bundleID, appVersion: appVersion))
    }

    /// Processes all due events of the store, such as renewals.
    package func catchUp() async throws {
        try await services.dueEvents.catchUp()
    }
}
