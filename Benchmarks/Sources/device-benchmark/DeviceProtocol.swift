import Foundation
import OpenStoreKit
import PurchaseModel

/// What is measured of the protocol between devices and stores (`docs/openapi/device.yaml`).
enum DeviceProtocol {
    static let signIn = "/device/v1/sign-in"
    static let purchases = "/device/v1/purchases"
    static let restore = "/device/v1/restore"
    static let history = "/device/v1/history"
    static let unfinished = "/device/v1/unfinished"
    static let finish = "/device/v1/finish"

    /// Opens an account, by the store's control API.
    struct Account: Codable, Sendable {
        let account: String
        let password: String
        let asksToBuy: Bool
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

    /// Asks for a page of a restore or of the history.
    struct PageRequest: Codable, Sendable {
        var request: String?
        var after: String?
    }

    /// A page of a restore, or of the history.
    struct Page: Codable, Sendable {
        struct Entry: Codable, Sendable {
            var payment: String?
            var transaction: String
            var restoredFrom: String?
            var isFinished: Bool?

            var signed: [SignedTransaction] { [transaction, restoredFrom].compactMap { $0 }.map { SignedTransaction($0) } }
        }

        var transactions: [Entry]
        /// Where a restore goes on.
        var next: String?
        /// Where the history goes on.
        var cursor: String?
        var hasMore: Bool?
        /// The states of subscriptions; nobody here has any.
        var statuses: [String]?
    }
}

extension StoreTransport {
    /// Posts JSON, and returns the JSON of the answer.
    func post(_ path: String, _ body: some Encodable, token: String? = nil) async throws -> Data {
        var request = StoreRequest(
            method: "POST", path: path, headers: ["Content-Type": "application/json"], body: try JSONEncoder().encode(body))
        if let token { request.headers["Authorization"] = "Bearer \(token)" }
        let response = try await send(request)
        guard response.status == 200 else { throw Refused(status: response.status, path: path) }
        return response.body
    }
}

/// The store did not do what a measurement needs.
struct Refused: Error {
    let status: Int
    let path: String
}
