import Foundation
import OpenStoreKit
import PurchaseModel

/// The part of the device API (`docs/openapi/device.yaml`) that the benchmark uses.
enum DeviceProtocol {
    static let signIn = "/device/v1/sign-in"
    static let purchases = "/device/v1/purchases"
    static let restore = "/device/v1/restore"
    static let history = "/device/v1/history"
    static let unfinished = "/device/v1/unfinished"
    static let finish = "/device/v1/finish"

    /// A request of the control API to create an account.
    struct Account: Codable, Sendable {
        let account: String
        let password: String
        let askToBuyEnabled: Bool
    }

    struct SignIn: Codable, Sendable {
        let account: String
        let password: String
        let device: String
        let bundleID: String
        let appVersion: String
    }

    struct Session: Codable, Sendable {
        let token: String
    }

    struct Payment: Codable, Sendable {
        let payment: String
        let productID: String
        let quantity: Int
    }

    /// A request for a page of a restore or of the history.
    struct PageRequest: Codable, Sendable {
        var requestID: String?
        var paginationToken: String?
        var revision: String?
    }

    /// A page of a restore or of the history.
    struct Page: Codable, Sendable {
        struct Entry: Codable, Sendable {
            var payment: String?
            var signedTransaction: String
            var restoredFrom: String?
            var isFinished: Bool?

            var signed: [SignedTransaction] { [signedTransaction, restoredFrom].compactMap { $0 }.map { SignedTransaction($0) } }
        }

        var transactions: [Entry]
        /// The token for the next page of a restore.
        var paginationToken: String?
        /// The token for the next page of the history.
        var revision: String?
        var hasMore: Bool?
        /// The states of subscriptions, which the benchmark does not have.
        var statuses: [String]?
    }
}

extension StoreTransport {
    /// Posts JSON and returns the body of the response, and throws unless the status is 200.
    func post(_ path: String, _ body: some Encodable, token: String? = nil) async throws -> Data {
        var request = StoreRequest(
            method: "POST", path: path, headers: ["Content-Type": "application/json"], body: try JSONEncoder().encode(body))
        if let token { request.headers["Authorization"] = "Bearer \(token)" }
        let response = try await send(request)
        guard response.status == 200 else { throw Refused(status: response.status, path: path) }
        return response.body
    }
}

/// The store refused a request of the benchmark.
struct Refused: Error {
    let status: Int
    let path: String
}
