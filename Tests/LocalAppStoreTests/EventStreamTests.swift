import Foundation
import NIOCore
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite(.timeLimit(.minutes(10))) struct EventStreamTests {
    /// Reads a stream until it has yielded `count` event IDs.
    private func eventIDs(_ count: Int, of iterator: inout EventStream.Iterator) async throws -> [Int64] {
        var found: [Int64] = []
        while found.count < count, let part = try await iterator.next() {
            found += String(buffer: part).split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap { Int64($0.dropFirst(4)) }
        }
        return found
    }

    @Test func `a stream resumes after the last seen event, from memory or from the database`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            for _ in 0..<3 { _ = try await phone.buy(.credits) }
            let (context, events) = (harness.store.context, harness.store.storeServices.events)
            let all = try await events.events(after: 0, limit: 1_000).map(\.id)
            for seen: Int64 in [0, all[1], all[all.count - 2]] {
                var fromMemory = EventStream(events: events, after: seen, account: nil).makeAsyncIterator()
                #expect(try await eventIDs(all.count { $0 > seen }, of: &fromMemory) == all.filter { $0 > seen })
            }
            // A reopened store has no events in memory.
            let reopened = StoreContext(
                database: context.database, clock: context.clock, apps: context.apps, signer: context.signer,
                eventBroadcast: EventBroadcast(), faultFlag: context.faultFlag)
            let reopenedEvents = EventService(context: reopened)
            var iterator = EventStream(events: reopenedEvents, after: all[0], account: nil).makeAsyncIterator()
            #expect(try await eventIDs(all.count - 1, of: &iterator) == Array(all.dropFirst()))
            try await reopened.transaction { db, now in
                try reopenedEvents.insertEvent(EventRecord(date: now, kind: .clock, detail: "one more"), db)
            }
            #expect(try await eventIDs(1, of: &iterator) == [all[all.count - 1] + 1])
        }
    }

    @Test func `a stream without events of its own sends a comment at the store's next event, so that an ended client is noticed`()
        async throws
    {
        try await StoreHarness.run { harness in
            let (context, events) = (harness.store.context, harness.store.storeServices.events)
            let newest = context.eventBroadcast.newest
            var iterator = EventStream(events: events, after: newest, account: "nobody", heartbeat: .zero).makeAsyncIterator()
            #expect(try await iterator.next().map { String(buffer: $0) } == ": events of the store\n\n")
            try await context.transaction { db, now in
                try events.insertEvent(EventRecord(date: now, kind: .clock, detail: "for others"), db)
            }
            #expect(try await iterator.next().map { String(buffer: $0) } == ": no events\n\n")
        }
    }

    @Test func `events of a database transaction that was rolled back are not broadcast`() async throws {
        struct Failure: Error {}
        try await StoreHarness.run { harness in
            let (context, events) = (harness.store.context, harness.store.storeServices.events)
            let last = context.eventBroadcast.newest
            await #expect(throws: Failure.self) {
                try await context.transaction { db, now in
                    try events.insertEvent(EventRecord(date: now, kind: .clock, detail: "rolled back"), db)
                    throw Failure()
                }
            }
            #expect(context.eventBroadcast.newest == last)
            try await context.transaction { db, now in
                for detail in ["first", "second"] {
                    try events.insertEvent(EventRecord(date: now, kind: .clock, detail: detail), db)
                }
            }
            let stored = try await events.events(after: last, limit: 10)
            #expect(stored.map(\.detail) == ["first", "second"])
            let recent = try #require(try context.eventBroadcast.recent(after: last, limit: 1 << 20) { _ in true })
            #expect(String(buffer: recent.text).components(separatedBy: "event: clock").count == 3)
            #expect(recent.lastEventID == stored.last?.id)
        }
    }

    @Test func `the number of events in memory is limited, and a reader behind them gets nil`() throws {
        let eventBroadcast = EventBroadcast()
        for id in 1...5_000 {
            eventBroadcast.insert(StoreEvent(id: Int64(id), date: .testStart, kind: .clock))
            eventBroadcast.publishInserted()
        }
        #expect(try eventBroadcast.recent(after: 0, limit: 1 << 20) { _ in true } == nil)
        let recent = try #require(try eventBroadcast.recent(after: 4_500, limit: 1 << 20) { _ in true })
        #expect(recent.lastEventID == 5_000)
        #expect(String(buffer: recent.text).split(separator: "\n").count { $0.hasPrefix("id: ") } == 500)
        // A small limit returns a part of the events.
        let part = try #require(try eventBroadcast.recent(after: 4_500, limit: 100) { _ in true })
        #expect(part.lastEventID < 4_510)
        // Events that the filter excludes are skipped.
        let none = try #require(try eventBroadcast.recent(after: 4_500, limit: 100) { _ in false })
        #expect(none.lastEventID == 5_000 && none.text.readableBytes == 0)
    }

    @Test func `a few streams receive events at once, and many are throttled`() {
        let eventBroadcast = EventBroadcast()
        var streams = (0..<49).map { _ in eventBroadcast.stream() }
        #expect(eventBroadcast.throttleDelay == nil)
        streams += (0..<451).map { _ in eventBroadcast.stream() }
        #expect(eventBroadcast.throttleDelay == .milliseconds(500))
        #expect(streams.count == 500)
    }
}
