import Foundation
import OpenStoreKit
import PurchaseModel

/// Answers what a store has answered before, so that only the device is measured.
struct RecordedLine: StoreTransport {
    /// A page by where it goes on.
    private struct Recorded {
        let end: String?
        let body: Data
    }

    private let signIn: Data
    private let restores: [Recorded]
    private let history: [Recorded]

    init(signIn: Data, restores: [DeviceProtocol.Page] = [], history: [DeviceProtocol.Page] = []) throws {
        self.signIn = signIn
        self.restores = try restores.map { Recorded(end: $0.next, body: try JSONEncoder().encode($0)) }
        self.history = try history.map { Recorded(end: $0.cursor, body: try JSONEncoder().encode($0)) }
    }

    func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse {
        let body: Data? =
            switch request.path {
            case DeviceProtocol.signIn: signIn
            case DeviceProtocol.restore: Self.page(after: Self.end(request), of: restores)
            case DeviceProtocol.history: Self.page(after: Self.end(request), of: history) ?? Self.nothingNew(after: Self.end(request))
            case DeviceProtocol.unfinished: Data(#"{"declined":[],"transactions":[]}"#.utf8)
            case DeviceProtocol.finish: Data("{}".utf8)
            default: nil
            }
        guard let body else {
            return StoreResponse(status: 404, body: Data(#"{"error":{"code":"benchmark","message":"Not recorded."}}"#.utf8))
        }
        return StoreResponse(status: 200, body: body)
    }

    private static func end(_ request: StoreRequest) -> String? {
        request.body.flatMap { try? JSONDecoder().decode(DeviceProtocol.PageRequest.self, from: $0) }?.after
    }

    /// What follows the page that ended there; the first one for nil.
    private static func page(after end: String?, of pages: [Recorded]) -> Data? {
        guard let end else { return pages.first?.body }
        return pages.firstIndex { $0.end == end }.flatMap { pages.dropFirst($0 + 1).first }?.body
    }

    /// The answer of a store whose history has ended there.
    private static func nothingNew(after end: String?) -> Data? {
        let page = DeviceProtocol.Page(transactions: [], cursor: end ?? "0", hasMore: false, statuses: [])
        return try? JSONEncoder().encode(page)
    }
}
