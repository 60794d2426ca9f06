import Foundation
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import WireServer

/// A request to the App Store Server API whose token is verified.
struct ServerAPICall: Sendable {
    let services: StoreServices
    let scope: APIScope
    private let request: Request
    private let context: StoreRequestContext

    init(_ request: Request, _ context: StoreRequestContext, _ endpoint: ServerAPIEndpoint) throws {
        let store = try context.store
        services = store.storeServices
        scope = try store.authorize(request, to: endpoint, in: context.environment)
        self.request = request
        self.context = context
    }

    /// Returns the value of a path parameter; an empty text, which no record has as its identifier, if the value is not a valid identifier.
    func parameter(_ name: String) -> String {
        (try? context.parameter(name)) ?? ""
    }

    /// The value of the path parameter `transactionId`.
    var transactionID: String { parameter("transactionId") }

    /// The query parameters of the request.
    var query: ServerAPIQuery { ServerAPIQuery(request.uri.query ?? "") }

    /// The body of the request; reading fails if the body is larger than 4 MiB.
    var body: Data {
        get async throws { Data(buffer: try await request.wholeBody(upTo: defaultBodyLimit)) }
    }
}
