import Foundation
import FoundationExtras
import HTTPTypes
import NIOCore
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// The endpoint with the events of an app.
@Suite struct FeedReaderTests {
    private static func page(_ shop: Shop, _ query: String = "") async throws -> EventsReply {
        try await shop.call(ServerEndpoints.events, Empty(), query: query, by: .backend(nil)).value()
    }

    private static func events(_ reply: EventsReply) throws -> [FeedEvent] {
        try reply.events.map { try WireJSON.decode(FeedEvent.self, from: Data($0.bytes)) }
    }

    @Test func `a reader that keeps its cursor receives each event once, in order`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            try await shop.record(.creditSale)
            try await shop.feed.publish()
            let all = try await Self.page(shop).events
            #expect(all.count == 4)
            var (read, cursor): ([JSONValue], String) = ([], "0")
            for _ in all {
                let page = try await Self.page(shop, "?after=\(cursor)&limit=1")
                read += page.events
                cursor = page.nextCursor
            }
            #expect(read == all)
            let end = try await Self.page(shop, "?after=\(cursor)")
            #expect(end == EventsReply(events: [], nextCursor: cursor))
            #expect(try await Self.page(shop, "?after=latest") == end)
        }
    }

    @Test func `a long poll ends with the next event`() async throws {
        try await Shop.open { shop async throws in
            // Call the feed directly, because the requests of the test's client share one connection.
            async let page = shop.feed.page(after: .start, limit: 10, waiting: 60)
            try await eventually { try shop.feed.signal.hasWaitingReaders }
            try await shop.record(.bookSale)
            try await shop.feed.publish()
            #expect(try await page.events.isEmpty == false)
            #expect(try await Self.page(shop, "?wait=60").events.isEmpty == false)
            #expect(try await Self.page(shop, "?after=latest&wait=0").events == [])
        }
    }

    @Test func `server-sent events state the cursor as their identifier`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            try await shop.feed.publish()
            let (entries, _) = try await shop.feed.entries(after: .start, limit: 10)
            let feed = try shop.feed
            var stream = FeedStream(feed: feed, cursor: entries[0].cursor, open: try feed.streams.open()).makeAsyncIterator()
            let first = try await stream.next()
            // A reader that loses the connection before the first event continues at this cursor.
            #expect(first.map { String(buffer: $0).hasSuffix("\nid: \(entries[0].cursor)\n\n") } == true)
            let text = String(buffer: try #require(try await stream.next()))
            #expect(text.hasPrefix("id: \(entries[1].cursor)\nevent: entitlement.activated\ndata: {") && text.hasSuffix("}\n\n"))
            async let next = stream.next()
            try await shop.record(.creditSale)
            try await shop.feed.publish()
            #expect(String(buffer: try #require(try await next)).contains("event: purchase.recorded"))
        }
    }

    @Test func `a long poll ends when the server stops, with the cursor of the request`() async throws {
        try await Shop.open { shop async throws in
            let feed = try shop.feed
            let poll = Task { try await feed.page(after: .start, limit: 10, waiting: 60) }
            try await eventually { feed.signal.hasWaitingReaders }
            poll.cancel()
            #expect(try await poll.value == EventsReply(events: [], nextCursor: "0"))
        }
    }

    @Test func `a stream ends after five minutes, so that its reader states the key again`() async throws {
        try await Shop.open { shop async throws in
            let feed = try shop.feed
            var stream = FeedStream(feed: feed, cursor: .start, open: try feed.streams.open()).makeAsyncIterator()
            #expect(try await stream.next() != nil)
            shop.clock.advance(seconds: FeedStream.lifetime)
            try await shop.record(.bookSale)
            try await shop.feed.publish()
            #expect(try await stream.next() == nil)
        }
    }

    @Test func `an app has at most 100 streams`() async throws {
        let streams = FeedStreams()
        var open = try (0..<FeedStreams.limit).map { _ in try streams.open() }
        #expect(throws: FeedRefusal.streams) { try streams.open() }
        open.removeLast()
        open.append(try streams.open())
        #expect(throws: FeedRefusal.streams) { try streams.open() }
        withExtendedLifetime(open) {}
    }

    @Test func `an event of a later version is delivered as it is stored, and a damaged event with its identifier`() async throws {
        try await Shop.open { shop async throws in
            let stored = [#"{"id":"evt_1","type":"seat.lent","new":[1.50]}"#, "{damaged"]
            try await shop.server.storage.write(.test) { records in
                for (index, event) in stored.enumerated() {
                    let id = "evt_\(index + 1)"
                    try records.insert([
                        FeedEventRecord(
                            id: id, type: "seat.lent", customer: nil, ordinal: 1, recordedAt: .testStart, event: event)
                    ])
                }
            }
            try await shop.record(.creditSale)
            try await shop.feed.publish()
            let page = try await Self.page(shop).events.map { String(decoding: $0.bytes, as: UTF8.self) }
            let date = Timestamp.testStart.milliseconds
            // The client sorts the members, and a number has no fraction of zeros.
            #expect(page[0] == #"{"id":"evt_1","new":[1.5],"type":"seat.lent"}"#)
            #expect(page[1] == #"{"customer":null,"id":"evt_2","recordedAt":\#(date),"type":"seat.lent"}"#)
            #expect(page.count == 4)
        }
    }

    @Test(arguments: [
        ("?after=1", "events.cursor"), ("?after=-1", "events.cursor"), ("?after=1-0", "events.cursor"),
        ("?after=01-00000000", "events.cursor"),
        ("?limit=0", "events.limit"), ("?limit=501", "events.limit"), ("?limit=x", "events.limit"), ("?wait=61", "events.wait"),
        ("?wait=-1", "events.wait"), ("?after=99-00000000", "events.diverged"), ("?after=1-00000000", "events.diverged"),
    ])
    func `an invalid request for events is refused`(_ query: String, _ code: String) async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            try await shop.feed.publish()
            #expect(try await shop.call(ServerEndpoints.events, Empty(), query: query).code == code)
        }
    }

    @Test func `an app's key and a key without the scope can't read events`() async throws {
        try await Shop.open { shop async throws in
            #expect(try await shop.call(ServerEndpoints.events, Empty(), by: shop.app).code == "key.scope")
            #expect(try await shop.call(ServerEndpoints.events, Empty(), by: .headers([:])).code == "key.missing")
            let scopes = APIKeyKind.secret.permittedScopes.subtracting([.readEvents])
            let key = try await #require(shop.server.apiKeys(of: .test)).create(.secret, scopes: scopes).text
            let sender = Shop.Sender.headers([.authorization: "Bearer \(key)"])
            #expect(try await shop.call(ServerEndpoints.events, Empty(), by: sender).code == "key.scope")
        }
    }

    @Test func `retention removes old events, and a cursor before them is refused`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            try await shop.feed.publish()
            let first = try await Self.page(shop, "?limit=1").nextCursor
            let second = try await Self.page(shop, "?limit=2").nextCursor
            shop.clock.advance(seconds: 86_400 * 91)
            try await shop.record(.creditSale)
            try await shop.feed.publish()
            try await shop.feed.removeExpired()
            #expect(try await shop.call(ServerEndpoints.events, Empty(), query: "?after=\(first)").code == "events.expired")
            let rest = try await Self.page(shop, "?after=\(second)")
            #expect(try Self.events(rest).map(\.type) == [.purchaseRecorded, .ledgerCredited])
            #expect(try await Self.page(shop).events == rest.events)
        }
    }

    @Test func `a cursor of a lost event is refused after a restore`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            try await shop.feed.publish()
            let (entries, next) = try await shop.feed.entries(after: .start, limit: 10)
            // A restore returns to an earlier moment, and other events receive the positions.
            try await shop.server.storage.write(.test) { records in
                let records = try #require(records as? SQLTransaction)
                try records.execute("DELETE FROM feed_event WHERE app = ?1 AND block = 0 AND position > 1")
                try records.execute("UPDATE feed_head SET newest = 1 WHERE app = ?1")
            }
            #expect(try await shop.call(ServerEndpoints.events, Empty(), query: "?after=\(next)").code == "events.diverged")
            try await shop.record(.creditSale)
            try await shop.feed.publish()
            #expect(try await shop.call(ServerEndpoints.events, Empty(), query: "?after=\(next)").code == "events.diverged")
            let rest = try await Self.events(Self.page(shop, "?after=\(entries[0].cursor)"))
            #expect(rest.map(\.type) == [.purchaseRecorded, .ledgerCredited])
        }
    }
}
