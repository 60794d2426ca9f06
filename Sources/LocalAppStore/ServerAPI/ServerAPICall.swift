import Foundation
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import WireServer

/// An authenticated request to the App Store Server API.
struct ServerAPICall: Sendable {
    let ledger: StoreLedger
    let scope: APIScope
    private let request: Request
    private let context: StoreRequestContext

    init(_ request: Request, _ context: StoreRequestContext, _ endpoint: ServerAPIEndpoint) throws {
        let store = try context.store
        ledger = store.ledger
        scope = try store.authorize(request, to: endpoint, in: context.environment)
        self.request = request
        self.context = context
    }

    /// The value of a path parameter; empty if the value is not a valid identifier, because no record has an empty identifier.
    func parameter(_ name: String) -> String {
        (try? context.parameter(name)) ?? ""
    }

    /// The transaction identifier in the path.
    var transactionID: String { parameter("transactionId") }

    /// The query of the URL.
    var query: ServerAPIQuery { ServerAPIQuery(request.uri.query ?? "") }

    /// The body, up to 4 MiB.
    var body: Data {
        get async throws { Data(buffer: try await request.wholeBody(upTo: defaultBodyLimit)) }
    }
}
