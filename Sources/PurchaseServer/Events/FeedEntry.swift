import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import Wire

/// A stored event with its cursor, as readers receive it.
///
/// The JSON of the event stays as it was stored, so that an event of a later version, or a damaged one, does not block its readers.
struct FeedEntry: Sendable {
    /// The type of the event, such as `entitlement.activated`.
    let type: String
    /// The event as JSON, with the current aliases of the customer.
    let json: JSONValue
    /// The cursor after the event.
    let cursor: FeedCursor
    /// Whether the stored JSON can't be read; ``json`` then has only the members that other columns state.
    let isDamaged: Bool

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - positioned: The stored event.
    ///   - aliases: The current aliases of the customer.
    init(_ positioned: PositionedFeedEvent, aliases: [String]) {
        let record = positioned.event
        (type, cursor) = (record.type, FeedCursor(after: positioned))
        guard case .object(var members) = JSONReader.read(Array(record.event.utf8)) else {
            isDamaged = true
            json = .object([
                JSONValue.Member("id", .string(record.id)), JSONValue.Member("type", .string(record.type)),
                JSONValue.Member("customer", record.customer.map { .string($0.rawValue) } ?? .null),
                JSONValue.Member("recordedAt", .number(record.recordedAt.milliseconds)),
            ])
            return
        }
        isDamaged = false
        if record.customer != nil {
            members.removeAll { $0.name == "aliases" }
            members.append(JSONValue.Member("aliases", .array(aliases.map { .string($0) })))
        }
        json = .object(members)
    }

    /// Returns the event as this version of the server states events.
    ///
    /// - Throws: `DecodingError` for an event of another version, or a damaged event.
    func event() throws -> FeedEvent { try WireJSON.decode(FeedEvent.self, from: Data(json.bytes)) }
}
