import PurchaseStorage

/// The place of a reader in the feed: the position of the last event that the reader has, with a part of the event's identifier.
///
/// The identifier detects a database that was restored to an earlier moment, or that lost commits in a failover: the position then belongs
/// to another event, or to none.
struct FeedCursor: Hashable, Sendable {
    /// The number of digits of an event's identifier in a cursor.
    private static let tagLength = 8
    /// The cursor before the first event.
    static let start = FeedCursor(position: 0, tag: "")

    /// The position of the last event; 0 before the first event.
    let position: Int64
    /// The first digits of the event's identifier; empty before the first event.
    let tag: String

    private init(position: Int64, tag: String) {
        self.position = position
        self.tag = tag
    }

    /// Creates the cursor after an event.
    init(after event: PositionedFeedEvent) {
        self.init(position: event.position, tag: Self.tag(of: event.event.id))
    }

    /// Returns whether the cursor is the cursor after an event.
    func isAfter(_ event: PositionedFeedEvent) -> Bool { self == FeedCursor(after: event) }

    private static func tag(of id: String) -> String { String(id.drop { $0 != "_" }.dropFirst().prefix(tagLength)) }
}

extension FeedCursor: LosslessStringConvertible {
    /// Creates a cursor from its text, such as `42-0f3c12ab`, or `0` for the start; returns nil for another text.
    init?(_ text: String) {
        guard text != "0" else {
            self = .start
            return
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let position = Int64(parts[0]), position > 0, String(position) == parts[0],
            parts[1].utf8.count == Self.tagLength, parts[1].allSatisfy({ $0.isASCII && $0.isHexDigit && !$0.isUppercase })
        else { return nil }
        self.init(position: position, tag: String(parts[1]))
    }

    var description: String { position == 0 ? "0" : "\(position)-\(tag)" }
}
