import Foundation
import Hummingbird
import PurchaseModel
import StoreProtocol
import WireServer

/// Adds the route of the control API that finds accounts, transactions, notifications, products and requests.
struct SearchController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.mount(ControlEndpoints.search) { _, request, context in
            guard let text = try request.query("text"), text.utf8.count <= SearchReply.textLimit else {
                throw StoreError.invalidValue(field: "text")
            }
            var limit = SearchReply.limit
            if let limitText = try request.query("limit") {
                guard let number = Int(limitText), (1...SearchReply.limit).contains(number) else {
                    throw StoreError.invalidValue(field: "limit")
                }
                limit = number
            }
            let results = try await context.services.searches.results(for: text.trimmingCharacters(in: .whitespacesAndNewlines))
            return SearchReply(results: Array(results.prefix(limit)))
        }
    }
}
