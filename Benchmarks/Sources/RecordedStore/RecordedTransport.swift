package import Foundation
package import OpenStoreKit
import PurchaseModel

/// A transport with recorded responses of a store, so that only the device is measured.
package struct RecordedTransport: StoreTransport {
    /// A recorded page and the token for the next page.
    private struct Recorded {
        let end: String?
        let body: Data
    }

    private let signIn: Data
    private let restores: [Recorded]
    private let history: [Recorded]
    private let products: Data?

    package init(
        signIn: Data, restores: [DeviceProtocol.Page] = [], history: [DeviceProtocol.Page] = [], products: Data? = nil
    ) throws {
        self.signIn = signIn
        self.products = products
        self.restores = try restores.map { Recorded(end: $0.paginationToken, body: try JSONEncoder().encode($0)) }
        self.history = try history.map { Recorded(end: $0.revision, body: try JSONEncoder().encode($0)) }
    }

    package func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse {
        let body: Data? =
            switch request.path {
            case DeviceProtocol.signIn: signIn
            case DeviceProtocol.restore: Self.page(after: Self.end(request), of: restores)
            case DeviceProtocol.history: Self.page(after: Self.end(request), of: history) ?? Self.emptyPage(after: Self.end(request))
            case DeviceProtocol.unfinished: Data(#"{"declined":[],"transactions":[]}"#.utf8)
            case DeviceProtocol.products: products
            case DeviceProtocol.finish: Data("{}".utf8)
            default: nil
            }
        guard let body else {
            return StoreResponse(status: 404, body: Data(#"{"error":{"code":"benchmark","message":"Not recorded."}}"#.utf8))
        }
        return StoreResponse(status: 200, body: body)
    }

    private static func end(_ request: StoreRequest) -> String? {
        request.body.flatMap { try? JSONDecoder().decode(DeviceProtocol.PageRequest.self, from: $0) }.flatMap {
            $0.paginationToken ?? $0.revision
        }
    }

    /// Returns the page after the given token, or the first page for nil.
    private static func page(after end: String?, of pages: [Recorded]) -> Data? {
        guard let end else { return pages.first?.body }
        return pages.firstIndex { $0.end == end }.flatMap { pages.dropFirst($0 + 1).first }?.body
    }

    /// Returns the response for the end of the history.
    private static func emptyPage(after end: String?) -> Data? {
        let page = DeviceProtocol.Page(transactions: [], revision: end ?? "0", hasMore: false, statuses: [])
        return try? JSONEncoder().encode(page)
    }
}
