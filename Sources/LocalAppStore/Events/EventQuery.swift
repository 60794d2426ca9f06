import Hummingbird
import PurchaseModel

/// Which events are asked for: `?after=17&account=ada@example.com&limit=100`.
struct EventQuery: Sendable {
    /// The last event that is known; 0 for none.
    var after: Int64
    var account: AccountID?
    var limit: Int?

    init(_ request: Request) throws(StoreError) {
        let query = request.uri.queryParameters
        after = 0
        if let text = query["after"] {
            guard let number = Int64(text), number >= 0 else { throw .unusable(field: "after") }
            after = number
        }
        account = query["account"].map { AccountID(String($0)) }
        if let text = query["limit"] {
            guard let number = Int(text), number > 0 else { throw .unusable(field: "limit") }
            limit = number
        }
    }
}
