/// What happened in a store.
public struct EventsReply: Codable, Hashable, Sendable {
    /// Oldest first.
    public var events: [StoreEvent]

    /// Creates a reply.
    public init(events: [StoreEvent]) {
        self.events = events
    }
}
