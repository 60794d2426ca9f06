public import Foundation
public import PurchaseModel
package import ServerProtocol
package import Wire

/// The requests that the kit sends to the developer's server for its customer.
package protocol PurchaseService: Sendable {
    /// Submits signed transactions, at most 100.
    func submit(_ transactions: [SignedTransaction]) async throws(WireClientError) -> SubmitPurchasesReply
    /// Reads the customer's entitlements, and the signed data from which they follow.
    func entitlements() async throws(WireClientError) -> EntitlementsReply
    /// Reads the customer's balances.
    func balances() async throws(WireClientError) -> BalancesReply
    /// Debits a balance, once for each idempotency key.
    func debit(_ request: DebitRequest) async throws(WireClientError) -> LedgerReply
    /// Requests a lease for a device.
    func lease(_ request: LeaseRequest) async throws(WireClientError) -> LeaseReply
    /// Lists the products that the app sells.
    func products() async throws(WireClientError) -> ServerProductsReply
    /// Signs a promotional offer for the customer.
    func promotionalOffer(_ request: PromotionalOfferRequest) async throws(WireClientError) -> PromotionalOfferReply
    /// Sends a request that changes nothing in the vault, such as one about teams.
    func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ request: Request, parameters: [String: String]
    ) async throws(WireClientError) -> Response
}

extension PurchaseService {
    /// Refuses the request, as a server without a key for offers does.
    package func promotionalOffer(_ request: PromotionalOfferRequest) async throws(WireClientError) -> PromotionalOfferReply {
        throw .refused(status: 404, WireError(code: "offer.unavailable", message: "The server signs no offers."))
    }

    /// Refuses the request, as a server without the endpoint does.
    package func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ request: Request, parameters: [String: String]
    ) async throws(WireClientError) -> Response {
        throw .refused(status: 404, WireError(code: "endpoint.unknown", message: "The server does not know the request."))
    }
}

/// A request to the developer's server, including the response, for the log of an app.
///
/// The bodies contain data of the customer, such as signed transactions, and no credentials.
public struct ServerExchange: Hashable, Sendable {
    /// The method of the request, such as `POST`.
    public let method: String
    /// The path and the query of the request, such as `/v1/purchases`.
    public let path: String
    /// The body of the request; nil without a body.
    public let request: Data?
    /// The HTTP status of the response; nil if no response arrived.
    public let status: Int?
    /// The body of the response, which is not verified; nil if no response arrived.
    public let response: Data?

    /// Creates a record of a request, such as the app's own request.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - path: The path and the query of the request.
    ///   - request: The body of the request; nil without a body.
    ///   - status: The HTTP status of the response; nil if no response arrived.
    ///   - response: The body of the response; nil if no response arrived.
    public init(method: String, path: String, request: Data?, status: Int?, response: Data?) {
        self.method = method
        self.path = path
        self.request = request
        self.status = status
        self.response = response
    }
}

/// The connection of an app to the developer's server.
public struct ServerConnection: Sendable {
    /// The reason for which the kit requests the app's credentials.
    public enum CredentialsRequest: Sendable {
        /// The kit makes its first call in this app session.
        case first
        /// The server refused the customer token, for example because the token was revoked; the app requests another token from its
        /// backend.
        case refused
    }

    /// The error that states that the app's credentials can't be obtained now, for example without a network.
    ///
    /// The kit requests the credentials again later, without a sign-in of the customer.
    public struct CredentialsUnavailable: Error {
        /// Creates the error.
        public init() {}
    }

    /// The implementation of the requests to the server.
    package let service: any PurchaseService

    /// Creates a connection; the kit sends the first request when needed.
    ///
    /// - Parameters:
    ///   - serverURL: The base address of the server.
    ///   - deviceVerificationID: `AppStore.deviceVerificationID`, which proves to the server that a purchase was made on this device.
    ///   - isReachable: Whether the device has a network connection; otherwise the kit sends nothing, and tries again later.
    ///   - observe: Called after each request, on any thread, such as for the app's log. Downloads of content are not reported.
    ///   - credentials: Returns the credentials of the app and of its customer. ``CredentialsUnavailable`` or a `URLError` means that the
    ///     credentials can't be obtained now; any other error means that the customer has to sign in again.
    public init(
        serverURL: HTTPURL, deviceVerificationID: UUID?, isReachable: @escaping @Sendable () -> Bool = { true },
        observe: @escaping @Sendable (ServerExchange) -> Void = { _ in },
        credentials: @escaping @Sendable (CredentialsRequest) async throws -> ServerCredentials
    ) {
        service = RemotePurchaseService(
            serverURL: serverURL, deviceVerificationID: deviceVerificationID, isReachable: isReachable, observe: observe,
            credentials: credentials)
    }

    /// Creates a connection with another implementation of the requests to the server.
    package init(_ service: any PurchaseService) {
        self.service = service
    }
}

/// Sends the kit's requests to the server over HTTP.
struct RemotePurchaseService: PurchaseService {
    private let serverURL: HTTPURL
    private let deviceVerificationID: UUID?
    private let isReachable: @Sendable () -> Bool
    private let observe: @Sendable (ServerExchange) -> Void
    private let credentials: CredentialStore

    init(
        serverURL: HTTPURL, deviceVerificationID: UUID?, isReachable: @escaping @Sendable () -> Bool,
        observe: @escaping @Sendable (ServerExchange) -> Void = { _ in },
        credentials: @escaping @Sendable (ServerConnection.CredentialsRequest) async throws -> ServerCredentials
    ) {
        self.serverURL = serverURL
        self.deviceVerificationID = deviceVerificationID
        self.isReachable = isReachable
        self.observe = observe
        self.credentials = CredentialStore(credentials)
    }

    func submit(_ transactions: [SignedTransaction]) async throws(WireClientError) -> SubmitPurchasesReply {
        try await call(
            ServerEndpoints.purchases,
            SubmitPurchasesRequest(
                proofs: transactions.map { PurchaseProofInput(signedTransaction: $0) }, deviceVerificationID: deviceVerificationID))
    }

    func entitlements() async throws(WireClientError) -> EntitlementsReply {
        var reply = try await call(ServerEndpoints.entitlements, Empty(), query: ["include": "evidence"])
        // Require that each page begins after a later purchase than the previous page, so that the loop ends.
        var last: TransactionID?
        while let next = reply.nextAfter, last.map({ $0 < next }) ?? true {
            let page = try await call(ServerEndpoints.entitlements, Empty(), query: ["include": "evidence", "after": next.rawValue])
            reply.evidence = (reply.evidence ?? []) + (page.evidence ?? [])
            (last, reply.nextAfter) = (next, page.nextAfter)
        }
        return reply
    }

    func balances() async throws(WireClientError) -> BalancesReply {
        try await call(ServerEndpoints.balances, Empty())
    }

    func debit(_ request: DebitRequest) async throws(WireClientError) -> LedgerReply {
        try await call(ServerEndpoints.debit, request)
    }

    func lease(_ request: LeaseRequest) async throws(WireClientError) -> LeaseReply {
        try await call(ServerEndpoints.lease, request)
    }

    func products() async throws(WireClientError) -> ServerProductsReply {
        try await call(ServerEndpoints.products, Empty())
    }

    func promotionalOffer(_ request: PromotionalOfferRequest) async throws(WireClientError) -> PromotionalOfferReply {
        try await call(ServerEndpoints.promotionalOffer, request)
    }

    func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ request: Request, parameters: [String: String]
    ) async throws(WireClientError) -> Response {
        try await call(endpoint, request, parameters: parameters)
    }

    private func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, parameters: [String: String] = [:], query: [String: String] = [:]
    ) async throws(WireClientError) -> Response {
        guard isReachable() else { throw .unreachable }
        return try await credentials.call { (credentials) async throws(WireClientError) in
            var client = ServerClient(serverURL: serverURL, credentials: credentials)
            client.observe = observe
            return try await client.call(endpoint, body, parameters: parameters, query: query)
        }
    }
}

/// The credentials of the app's customer, which are renewed once after a refusal of the server.
actor CredentialStore {
    private let request: @Sendable (ServerConnection.CredentialsRequest) async throws -> ServerCredentials
    private var current: ServerCredentials?

    init(_ request: @escaping @Sendable (ServerConnection.CredentialsRequest) async throws -> ServerCredentials) {
        self.request = request
    }

    /// Sends a request with the current credentials, and after status 401 once more with new credentials.
    func call<Response: Sendable>(
        _ body: @Sendable (ServerCredentials) async throws(WireClientError) -> Response
    ) async throws(WireClientError) -> Response {
        let known = if let current { current } else { try await renew(.first) }
        do {
            return try await body(known)
        } catch .refused(401, _) {
            // Use credentials that another call has renewed during this call.
            let renewed = if let current, current != known { current } else { try await renew(.refused) }
            return try await body(renewed)
        }
    }

    private func renew(_ reason: ServerConnection.CredentialsRequest) async throws(WireClientError) -> ServerCredentials {
        do {
            let credentials = try await request(reason)
            current = credentials
            return credentials
        } catch is ServerConnection.CredentialsUnavailable {
            throw .unreachable
        } catch is URLError {
            throw .unreachable
        } catch {
            throw .refused(status: 401, WireError(code: "credentials.missing", message: "Sign in again to use your purchases."))
        }
    }
}
