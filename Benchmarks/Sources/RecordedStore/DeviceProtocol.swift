import Foundation
import OpenStoreKit
package import PurchaseModel

/// The part of the device API (`docs/openapi/device.yaml`) that the benchmark uses.
package enum DeviceProtocol {
    static let signIn = "/device/v1/sign-in"
    static let purchases = "/device/v1/purchases"
    static let restore = "/device/v1/restore"
    static let history = "/device/v1/history"
    static let unfinished = "/device/v1/unfinished"
    static let finish = "/device/v1/finish"
    static let products = "/device/v1/products"

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

    struct ProductsRequest: Codable, Sendable {
        let productIDs: [String]
    }

    /// A page of a restore or of the history.
    package struct Page: Codable, Sendable {
        package struct Entry: Codable, Sendable {
            package var payment: String?
            package var signedTransaction: String
            package var restoredFrom: String?
            package var isFinished: Bool?

            package var signed: [SignedTransaction] { [signedTransaction, restoredFrom].compactMap { $0 }.map { SignedTransaction($0) } }
        }

        package var transactions: [Entry]
        /// The token for the next page of a restore.
        package var paginationToken: String?
        /// The token for the next page of the history.
        package var revision: String?
        package var hasMore: Bool?
        /// The states of subscriptions, which the benchmark does not have.
        package var statuses: [String]?

        /// The maximum number of transactions in a page.
        private static let limit = 1_000

        /// Returns the pages of a history with the given transactions, all finished or all unfinished.
        package static func history(of entries: some Sequence<Entry>, areFinished: Bool) -> [Page] {
            var rest = entries.map { entry in
                var entry = entry
                entry.isFinished = areFinished
                return entry
            }[...]
            var pages: [Page] = []
            while !rest.isEmpty {
                let page = rest.prefix(limit)
                rest = rest.dropFirst(page.count)
                pages.append(Page(transactions: Array(page), revision: "\(pages.count)", hasMore: !rest.isEmpty, statuses: []))
            }
            return pages
        }
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
