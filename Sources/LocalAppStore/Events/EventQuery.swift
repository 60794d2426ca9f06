import Hummingbird
import PurchaseModel
import WireServer

/// The query parameters of a request for events: `?after=17&account=ada@example.com&limit=100`, or `?before=17` for earlier events.
struct EventQuery: Sendable {
    /// The identifier of the newest event that the client has, after which the response begins; 0 to begin with the first event.
    var after: Int64
    /// The identifier of the oldest event that the client has, before which the response ends; nil for the events after ``after``.
    var before: Int64?
    var account: AccountID?
    var limit: Int?

    init(_ request: Request) throws {
        after = try Self.number("after", in: request) ?? 0
        before = try Self.number("before", in: request)
        account = try request.query("account").map { AccountID($0) }
        if let text = try request.query("limit") {
            guard let number = Int(text), number > 0 else { throw StoreError.invalidValue(field: "limit") }
            limit = number
        }
    }

    private static func number(_ field: String, in request: Request) throws -> Int64? {
        guard let text = try request.query(field) else { return nil }
        guard let number = Int64(text), number >= 0 else { throw StoreError.invalidValue(field: field) }
        return number
    }
}
