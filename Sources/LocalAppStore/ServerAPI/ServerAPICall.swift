import Foundation
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import WireServer

/// One call of the App Store Server API that was let in.
struct ServerAPICall: Sendable {
    let ledger: StoreLedger
    let scope: APIScope
    private let request: Request
    private let context: StoreRequestContext

    init(_ request: Request, _ context: StoreRequestContext, _ endpoint: ServerAPIEndpoint) throws {
        let store = try context.store
        ledger = store.ledger
        scope = try store.admit(request, to: endpoint, in: context.environment)
        self.request = request
        self.context = context
    }

    /// What stands in the path for a name; empty when that is no identifier, which nothing is called.
    func parameter(_ name: String) -> String {
        (try? context.parameter(name)) ?? ""
    }

    /// What stands in the path for a transaction.
    var transactionID: String { parameter("transactionId") }

    /// The query of the address.
    var query: ServerAPIQuery { ServerAPIQuery(request.uri.query ?? "") }

    /// The body, up to 4 MiB.
    var body: Data {
        get async throws { Data(buffer: try await request.wholeBody(upTo: defaultBodyLimit)) }
    }
}
