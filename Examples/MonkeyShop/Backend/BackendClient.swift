import AsyncHTTPClient
public import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
public import PurchaseKit
public import PurchaseModel

/// A client of the purchase server's JSON API, for an app or for the app's backend.
public struct BackendClient: Sendable {
    /// The sender of the requests.
    public enum Caller: Sendable {
        /// The app, with its publishable key and the token of its customer.
        case app(ServerCredentials)
        /// The app's backend, with a secret key and a customer; the customer is nil for requests that concern no customer.
        case backend(secretKey: String, CustomerID?)
    }

    /// A request that the server refused or did not answer.
    public enum Failure: Error, Equatable, Sendable {
        /// No response arrived.
        case unreachable
        /// The server refused the request with an HTTP status, an error code and a message.
        case refused(status: Int, code: String, message: String)
    }

    /// A new customer of the server.
    public struct Customer: Codable, Sendable {
        /// The customer's identifier.
        public let customer: CustomerID
        /// The token with which an app acts for the customer.
        public let token: String
    }

    /// An entitlement of the customer.
    public struct Entitlement: Codable, Hashable, Sendable {
        /// Whether the entitlement is active.
        public let isActive: Bool
        /// The state of the purchase or the grant that determines the entitlement.
        public let state: Access.State
        /// The end of the paid period or of the grant; nil if there is no end.
        public let until: Timestamp?
        /// The event or the grant that determines the entitlement.
        public let reason: String
    }

    /// The permission to download the content of a product.
    public struct DownloadToken: Codable, Sendable {
        /// The secret text of the token.
        public let token: String
        /// The name of the content's file.
        public let file: String
        /// The length of the file in bytes.
        public let length: Int64
    }

    /// The result of a submitted proof.
    public struct SubmissionResult: Codable, Sendable {
        /// A purchase that the proof contains.
        public struct Purchase: Codable, Sendable {
            /// The result of the fulfillment, such as `complete` or `unattributed`.
            public let fulfillment: String
        }

        /// The verification result: `verified`, `refused` or `indeterminate`.
        public let status: String
        /// The error code of a refusal; nil without a refusal.
        public let code: String?
        /// The message of a refusal; nil without a refusal.
        public let message: String?
        /// The purchases in the proof.
        public let purchases: [Purchase]
    }

    /// The body of a refusal: `{"error":{"code":"content.refunded","message":"…"}}`.
    private struct Refusal: Decodable {
        struct Reason: Decodable {
            let code: String
            let message: String
        }
        let error: Reason
    }

    private struct Nothing: Codable {}

    private let serverURL: HTTPURL
    private let caller: Caller
    private let observe: @Sendable (ServerExchange) -> Void

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - serverURL: The base address of the server.
    ///   - caller: The sender of the requests.
    ///   - observe: Called after each request, with the response, if any.
    public init(_ serverURL: HTTPURL, _ caller: Caller, observe: @escaping @Sendable (ServerExchange) -> Void = { _ in }) {
        (self.serverURL, self.caller, self.observe) = (serverURL, caller, observe)
    }

    // MARK: - Customers

    /// Creates a customer.
    public func createCustomer() async throws -> Customer { try await send("POST", "/v1/customers", Nothing()) }

    /// Requests a customer token, with which an app acts for the customer.
    ///
    /// An app's backend requests the token when a user signs in.
    public func customerToken() async throws -> String {
        struct Issued: Decodable {
            let token: String
        }
        let issued: Issued = try await send("POST", "/v1/customer/tokens", Nothing())
        return issued.token
    }

    /// Returns the customer's entitlement with a name, which is the product ID for most products.
    ///
    /// - Parameter name: The name of the entitlement.
    public func entitlement(_ name: String) async throws -> Entitlement { try await send("GET", "/v1/customer/entitlements/\(name)") }

    /// Grants the customer an entitlement without a purchase.
    ///
    /// - Parameters:
    ///   - name: The name of the entitlement.
    ///   - reason: The reason of the grant, for customer support.
    public func grant(_ name: String, reason: String) async throws {
        let _: Nothing = try await send("POST", "/v1/customer/entitlements/\(name)/grants", ["reason": reason])
    }

    /// Returns the customer's credits.
    public func credits() async throws -> Int64 {
        struct Balances: Decodable {
            struct Balance: Decodable {
                let currency: CurrencyID
                let amount: Int64
            }
            let balances: [Balance]
        }
        let reply: Balances = try await send("GET", "/v1/customer/balances")
        return reply.balances.first { $0.currency == .credits }?.amount ?? 0
    }

    // MARK: - Purchases and content

    /// Submits a signed transaction.
    ///
    /// - Parameter transaction: The signed transaction.
    /// - Returns: The result; nil if the response contains no result.
    public func submit(_ transaction: SignedTransaction) async throws -> SubmissionResult? {
        struct Body: Encodable {
            let proofs: [[String: SignedTransaction]]
        }
        return try await submit(Body(proofs: [["signedTransaction": transaction]]))
    }

    /// Submits an app receipt.
    ///
    /// - Parameters:
    ///   - receipt: The bytes of the receipt.
    ///   - device: The device for which the receipt was issued; nil if unknown.
    /// - Returns: The result; nil if the response contains no result.
    public func submit(receipt: Data, of device: DeviceID? = nil) async throws -> SubmissionResult? {
        struct Body: Encodable {
            let proofs: [[String: Data]]
            let vendorID: DeviceID?
        }
        return try await submit(Body(proofs: [["receipt": receipt]], vendorID: device))
    }

    private struct Results: Decodable {
        let results: [SubmissionResult]
    }

    private func submit(_ body: some Encodable) async throws -> SubmissionResult? {
        let reply: Results = try await send("POST", "/v1/purchases", body)
        return reply.results.first
    }

    /// Requests a download token for the content of a product.
    ///
    /// - Parameter product: The product with content.
    public func downloadToken(for product: ProductID) async throws -> DownloadToken {
        try await send("POST", "/v1/content/\(product)/download-tokens", Nothing())
    }

    /// Requests content with a download token, to inspect the response.
    ///
    /// - Parameters:
    ///   - product: The product with content.
    ///   - token: The download token.
    /// - Returns: The HTTP status, and the error code of a refusal or a text such as `512 bytes`.
    public func requestContent(of product: ProductID, token: String) async throws -> (status: Int, code: String) {
        var request = HTTPClientRequest(url: "\(serverURL)/v1/content/\(product)")
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        let (status, body) = try await Self.answer(to: request)
        return (status, (try? JSONDecoder().decode(Refusal.self, from: body))?.error.code ?? "\(body.count) bytes")
    }

    // MARK: - Requests

    /// Sends JSON without credentials to an endpoint, such as `verifyReceipt`.
    ///
    /// - Parameters:
    ///   - body: The body of the request.
    ///   - url: The address of the endpoint.
    /// - Returns: The body of the response.
    public static func post(_ body: some Encodable, to url: HTTPURL) async throws -> Data {
        var request = HTTPClientRequest(url: url.text)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(try JSONEncoder().encode(body))
        return try await answer(to: request).body
    }

    private func send<Reply: Decodable>(_ method: String, _ path: String, _ body: (any Encodable)? = nil) async throws -> Reply {
        var request = HTTPClientRequest(url: serverURL.base + path)
        request.method = HTTPMethod(rawValue: method)
        switch caller {
        case .app(let credentials):
            request.headers.add(name: "Authorization", value: "Bearer \(credentials.publishableKey)")
            request.headers.add(name: "Tillroll-Customer-Token", value: credentials.customerToken)
        case .backend(let secretKey, let customer):
            request.headers.add(name: "Authorization", value: "Bearer \(secretKey)")
            if let customer { request.headers.add(name: "Tillroll-Customer", value: customer.rawValue) }
        }
        let content = try body.map { try JSONEncoder().encode($0) }
        if let content {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(content)
        }
        let answered: (status: Int, body: Data)
        do { answered = try await Self.answer(to: request) } catch {
            observe(ServerExchange(method: method, path: path, request: content, status: nil, response: nil))
            throw Failure.unreachable
        }
        observe(ServerExchange(method: method, path: path, request: content, status: answered.status, response: answered.body))
        guard (200..<300).contains(answered.status) else {
            let refusal = (try? JSONDecoder().decode(Refusal.self, from: answered.body))?.error
            throw Failure.refused(status: answered.status, code: refusal?.code ?? "", message: refusal?.message ?? "")
        }
        return try JSONDecoder().decode(Reply.self, from: answered.body)
    }

    private static func answer(to request: HTTPClientRequest) async throws -> (status: Int, body: Data) {
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        return (Int(response.status.code), Data(buffer: try await response.body.collect(upTo: 16 << 20)))
    }
}
