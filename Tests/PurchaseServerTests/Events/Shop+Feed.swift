import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

extension Shop {
    /// The feed of the app.
    var feed: FeedService { get throws { try #require(server.apps[.test]?.feed) } }

    /// Returns all events of the feed.
    func events() async throws -> [FeedEvent] {
        try await feed.publish()
        return try await feed.allEvents()
    }

    /// Returns the types of the events that `body` causes.
    func types(_ body: () async throws -> Void) async throws -> [String] {
        let count = try await events().count
        try await body()
        return try await events().dropFirst(count).map(\.type.rawValue)
    }

    /// The answers that the events state, by customer.
    func folded() async throws -> [CustomerID: [FeedState.Entitlement]] { FeedFold(try await events()).answers }

    /// Removes all records of the feed, as in a database of a version without a feed.
    func removeFeed() async throws {
        try await server.storage.write(.test) { records in
            let records = try #require(records as? SQLTransaction)
            for table in ["feed_outbox", "feed_head", "feed_retention", "feed_sweep", "feed_team"] {
                try records.execute("DELETE FROM \(table) WHERE app = ?1")
            }
            try records.execute("DELETE FROM feed_event WHERE app = ?1 AND block = 0")
            for partition in 0..<QueuePartition.count {
                try records.execute("DELETE FROM feed_customer WHERE app = ?1 AND partition = ?", partition)
            }
        }
    }

    /// Inserts the events that time has caused.
    func advanceFeed() async throws { try await feed.advance() }
}

extension FeedService {
    /// Returns all events, page by page.
    func allEvents(after first: FeedCursor = .start) async throws -> [FeedEvent] {
        var (events, cursor): ([FeedEvent], FeedCursor) = ([], first)
        while true {
            let page = try await entries(after: cursor, limit: 100)
            if page.entries.isEmpty { return events }
            events += try page.entries.map { try $0.event() }
            cursor = page.next
        }
    }
}

/// A reader that adds up events to the answer about each customer.
struct FeedFold {
    private(set) var entitlements: [CustomerID: [EntitlementName: FeedState.Entitlement]] = [:]
    private(set) var balances: [CustomerID: [CurrencyID: Int64]] = [:]

    init(_ events: [FeedEvent] = []) {
        for event in events { apply(event) }
    }

    mutating func apply(_ event: FeedEvent) {
        guard let customer = event.customer else { return }
        EntitlementChange.apply(event, to: &entitlements[customer, default: [:]])
        if case .balance(let balance)? = event.after { balances[customer, default: [:]][balance.currency] = balance.amount }
    }

    /// The entitlements of each customer, sorted by name.
    var answers: [CustomerID: [FeedState.Entitlement]] {
        entitlements.mapValues { $0.values.sorted { $0.name < $1.name } }
    }
}
