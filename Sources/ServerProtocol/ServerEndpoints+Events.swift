package import FoundationExtras
package import Wire

extension ServerEndpoints {
    /// Reads the events of the app after the position of the query parameter `after`; for backends.
    ///
    /// The parameter `limit` states the maximum number of events, and `wait` the seconds to wait for an event. A request that accepts
    /// `text/event-stream` receives server-sent events.
    package static let events = Endpoint<Empty, EventsReply>(.get, "/v1/events")
}

/// A page of the feed.
package struct EventsReply: Codable, Hashable, Sendable {
    /// The events in the order of their positions; each is a ``FeedEvent`` of this version or of another version.
    package var events: [JSONValue]
    /// The cursor after the last event of the page, with which a reader requests the next page.
    package var nextCursor: String

    package init(events: [JSONValue], nextCursor: String) {
        self.events = events
        self.nextCursor = nextCursor
    }
}
