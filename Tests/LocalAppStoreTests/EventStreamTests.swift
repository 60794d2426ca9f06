import Foundation
import NIOCore
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

@Suite(.timeLimit(.minutes(1))) struct EventStreamTests {
    /// The numbers of the next events of a stream, until there are as many.
    private func numbers(_ count: Int, of iterator: inout EventStream.Iterator) async throws -> [Int64] {
        var found: [Int64] = []
        while found.count < count, let part = try await iterator.next() {
            found += String(buffer: part).split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap { Int64($0.dropFirst(4)) }
        }
        return found
    }

    @Test func `a stream goes on behind the event that was seen last, whether it is at hand or not`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            for _ in 0..<3 { _ = try await phone.buy(.credits) }
            let ledger = harness.store.ledger
            let all = try await ledger.events(after: 0, limit: 1_000).map(\.id)
            for seen in [0, all[1], all[all.count - 2]] {
                var fromMemory = EventStream(ledger: ledger, after: seen, account: nil).makeAsyncIterator()
                #expect(try await numbers(all.count { $0 > seen }, of: &fromMemory) == all.filter { $0 > seen })
            }
            // A store that was opened again has told nothing yet.
            let reopened = StoreLedger(
                database: ledger.database, clock: ledger.clock, apps: ledger.apps, signer: ledger.signer, news: EventBroadcast(),
                faults: ledger.faults, eventsPerTurn: ledger.eventsPerTurn)
            var iterator = EventStream(ledger: reopened, after: all[0], account: nil).makeAsyncIterator()
            #expect(try await numbers(all.count - 1, of: &iterator) == Array(all.dropFirst()))
            try await reopened.write { db, now in
                try reopened.record(EventRecord(date: now, kind: .clock, detail: "one more"), db)
            }
            #expect(try await numbers(1, of: &iterator) == [all[all.count - 1] + 1])
        }
    }

    @Test func `what is at hand has an end, and a reader behind it is told so`() throws {
        let news = EventBroadcast()
        for id in 1...5_000 { news.tell(StoreEvent(id: Int64(id), date: .testStart, kind: .clock)) }
        #expect(try news.recent(after: 0, limit: 1 << 20) { _ in true } == nil)
        let recent = try #require(try news.recent(after: 4_500, limit: 1 << 20) { _ in true })
        #expect(recent.seen == 5_000)
        #expect(String(buffer: recent.text).split(separator: "\n").count { $0.hasPrefix("id: ") } == 500)
        // A reader takes a little at a time.
        let part = try #require(try news.recent(after: 4_500, limit: 100) { _ in true })
        #expect(part.seen < 4_510)
        // What is not wanted is passed over.
        let none = try #require(try news.recent(after: 4_500, limit: 100) { _ in false })
        #expect(none.seen == 5_000 && none.text.readableBytes == 0)
    }

    @Test func `many who watch wake less often, and a few at once`() {
        let news = EventBroadcast()
        var streams = (0..<49).map { _ in news.stream() }
        #expect(news.pause == nil)
        streams += (0..<451).map { _ in news.stream() }
        #expect(news.pause == .milliseconds(500))
        #expect(streams.count == 500)
    }
}
