import Foundation
import FoundationExtras
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

/// An error response of the App Store Server API.
struct ServerAPIRefusal: Error, Equatable {
    var status: Int
    var error: ServerAPIError?

    init(status: Int, error: ServerAPIError?) {
        self.status = status
        self.error = error
    }

    init(_ error: ServerAPIError) {
        self.init(status: error.status, error: error)
    }
}

extension StoreHarness {
    /// Returns an API token, by default with the store's key, issuer and time.
    func apiToken(
        bundleID: BundleID = .test, issuer: String? = nil, keyID: String? = nil, key: String? = nil, at time: Timestamp? = nil,
        lifetime: Int64 = 300
    ) throws -> String {
        let apiKey = store.apiKey
        return try APIToken(
            issuerID: issuer ?? apiKey.issuerID, bundleID: bundleID, issuedAt: time ?? clock.now, lifetime: lifetime
        ).sign(with: BackendKey(pem: key ?? apiKey.privateKeyPEM, id: keyID ?? apiKey.keyID))
    }

    /// Sends a request and returns the response without decoding it.
    func sendAPI(
        _ endpoint: ServerAPIEndpoint, _ parameters: [String: String] = [:], query: String = "", body: String? = nil,
        in environment: AppEnvironment = .sandbox, token: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.authorization] = "Bearer \(try token ?? apiToken())"
        let prefix = environment == .production ? "/production" : ""
        let path = prefix + endpoint.path(parameters) + (query.isEmpty ? "" : "?\(query)")
        let method = try #require(HTTPRequest.Method(rawValue: endpoint.method.rawValue))
        return try await send(method, path, headers, body.map { ByteBuffer(string: $0) })
    }

    /// Calls an endpoint about a transaction; throws ``ServerAPIRefusal`` for an error response.
    @discardableResult
    func api<Answer: Decodable>(
        _ endpoint: ServerAPIEndpoint, _ id: String = "", query: String = "", body: String? = nil,
        in environment: AppEnvironment = .sandbox, _ answer: Answer.Type = Empty.self
    ) async throws -> Answer {
        let response = try await sendAPI(endpoint, ["transactionId": id], query: query, body: body, in: environment)
        return try Self.read(response, answer)
    }

    /// Decodes a response; throws ``ServerAPIRefusal`` for an error response.
    static func read<Answer: Decodable>(_ response: TestResponse, _ answer: Answer.Type) throws -> Answer {
        let data = Data(buffer: response.body)
        guard (200..<300).contains(response.status.code) else {
            #expect(response.headers[.contentType] == "application/json")
            let body = try WireJSON.decode(ServerAPIErrorBody.self, from: data)
            #expect(body.errorMessage?.isEmpty == false)
            throw ServerAPIRefusal(status: response.status.code, error: body.error)
        }
        return try WireJSON.decode(answer, from: data.isEmpty && answer == Empty.self ? Data("{}".utf8) : data)
    }

    /// Reads all pages of an account's transaction history.
    func completeHistory(_ id: TransactionID, _ query: String = "", from start: String? = nil) async throws -> (
        transactions: [TransactionPayload], revision: String
    ) {
        var (found, revision, hasMore) = ([TransactionPayload](), start, true)
        while hasMore {
            let parts = [query, revision.map { "revision=\($0)" } ?? ""].filter { !$0.isEmpty }
            let page = try await api(.transactionHistory, id.rawValue, query: parts.joined(separator: "&"), HistoryResponse.self)
            #expect(page.signedTransactions.count <= 20)
            found += try await payloads(page.signedTransactions)
            (revision, hasMore) = (page.revision, page.hasMore)
        }
        return (found, revision ?? "")
    }

    /// The status of an account's only subscription.
    func onlyStatus(_ id: TransactionID, query: String = "") async throws -> LastTransaction {
        let groups = try await api(.subscriptionStatuses, id.rawValue, query: query, StatusResponse.self).data
        #expect(groups.count == 1)
        return try #require(groups.first?.lastTransactions.first)
    }
}
