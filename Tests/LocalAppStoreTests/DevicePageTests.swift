import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

/// Long answers to devices come in pages that miss nothing and say nothing twice.
@Suite struct DevicePageTests {
    /// Gives the owner of a transaction as many like it as are missing.
    private static func repeated(_ id: TransactionID, _ count: Int, in harness: StoreHarness) async throws {
        try await harness.store.ledger.write { db, now in
            guard var row = try TransactionRecord.find(id, db) else { throw StoreError.transactionUnknown }
            for _ in 1..<count {
                row.id = TransactionID(try StoreCounter.transaction.next(db))
                row.originalID = row.id
                row.payment = nil
                row.price = 0
                try harness.store.ledger.insert(&row, at: now, db)
            }
        }
    }

    private static func ids(_ signed: [SignedTransaction], _ harness: StoreHarness) async throws -> [TransactionID] {
        var ids: [TransactionID] = []
        for transaction in signed { ids.append(try await harness.verifier.verify(transaction).payload.transactionId) }
        return ids
    }

    @Test func `unfinished transactions come in pages of a thousand, and the last page says the rest`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            try await Self.repeated(try await phone.buy(.credits).transactionId, 2_001, in: harness)
            var ids: [TransactionID] = []
            var sizes: [Int] = []
            var next: String?
            repeat {
                let page = try await harness.call(DeviceEndpoints.unfinished, UnfinishedRequest(after: next), token: phone.token)
                ids += try await Self.ids(page.transactions.map(\.transaction), harness)
                sizes.append(page.transactions.count)
                next = page.next
                #expect((page.storefront != nil) == (next == nil))
            } while next != nil
            #expect(sizes == [1_000, 1_000, 1])
            #expect(ids == ids.sorted { $0.rawValue < $1.rawValue } && Set(ids).count == 2_001)
        }
    }

    @Test func `ten thousand restored transactions come in pages, each with its original, and a repeat of a page is the same`() async throws
    {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            try await Self.repeated(try await phone.buy(.filter).transactionId, 10_000, in: harness)
            var request = RestoreRequest(request: UUID(), appAccountToken: nil)
            var ids: Set<TransactionID> = []
            var pages = 0
            repeat {
                let page = try await harness.call(DeviceEndpoints.restore, request, token: phone.token)
                let found = try await Self.ids(page.transactions.map(\.transaction), harness)
                #expect(found.count == 500 && page.transactions.allSatisfy { $0.restoredFrom != nil })
                if pages % 7 == 0 {
                    let again = try await harness.call(DeviceEndpoints.restore, request, token: phone.token)
                    #expect(try await Self.ids(again.transactions.map(\.transaction), harness) == found)
                }
                ids.formUnion(found)
                request.after = page.next
                pages += 1
            } while request.after != nil
            #expect(pages == 20 && ids.count == 10_000)
        }
    }

    @Test func `histories tell what is new, changed or finished since the last time, whichever device did it`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let second = try await harness.phone(device: .second)
            func news(_ cursor: String?) async throws -> (ids: [TransactionID], reply: PurchasesReply) {
                let reply = try await harness.call(DeviceEndpoints.purchases, PurchasesRequest(after: cursor), token: second.token)
                return (try await Self.ids(reply.transactions.map(\.transaction), harness), reply)
            }
            let empty = try await news(nil)
            #expect(empty.ids.isEmpty && !empty.reply.hasMore)
            let credits = try await phone.buy(.credits).transactionId
            let magazine = try await phone.buy(.magazine).transactionId
            let bought = try await news(empty.reply.cursor)
            #expect(bought.ids == [credits, magazine] && bought.reply.transactions.allSatisfy { !$0.isFinished })
            #expect(bought.reply.statuses.map(\.status) == [1])
            try await phone.finish(credits)
            let finished = try await news(bought.reply.cursor)
            #expect(finished.ids == [credits] && finished.reply.transactions.first?.isFinished == true)
            #expect(try await news(finished.reply.cursor).ids.isEmpty)
            _ = try await phone.restore()
            #expect(try await news(finished.reply.cursor).ids.isEmpty)
            try await harness.refund(magazine)
            let refunded = try await news(finished.reply.cursor)
            #expect(refunded.ids == [magazine] && refunded.reply.statuses.map(\.status) == [5])
            #expect(try await news(nil).ids == [credits, magazine])
        }
    }

    @Test func `a history of many pages tells statuses on the last`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            _ = try await phone.buy(.magazine)
            try await Self.repeated(try await phone.buy(.credits).transactionId, 1_000, in: harness)
            let first = try await harness.call(DeviceEndpoints.purchases, PurchasesRequest(), token: phone.token)
            #expect(first.transactions.count == 1_000 && first.hasMore && first.statuses.isEmpty)
            let last = try await harness.call(DeviceEndpoints.purchases, PurchasesRequest(after: first.cursor), token: phone.token)
            #expect(last.transactions.count == 1 && !last.hasMore && last.statuses.count == 1)
        }
    }

    @Test(arguments: ["", "0", "17", "AAAA", "2000000000000001", String(repeating: "9", count: 500), "💥"])
    func `a cursor that no answer had is refused`(cursor: String) async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let stranger = try await harness.phone("eve@example.com")
            _ = try await stranger.buy(.filter)
            let refusal = Refused(status: 400, code: "request.unusable")
            await #expect(throws: refusal) {
                try await harness.call(DeviceEndpoints.unfinished, UnfinishedRequest(after: cursor), token: phone.token)
            }
            await #expect(throws: refusal) {
                var request = RestoreRequest(request: UUID(), appAccountToken: nil)
                request.after = cursor
                return try await harness.call(DeviceEndpoints.restore, request, token: phone.token)
            }
            await #expect(throws: refusal) {
                try await harness.call(DeviceEndpoints.purchases, PurchasesRequest(after: cursor), token: phone.token)
            }
            let foreign = try await harness.call(DeviceEndpoints.purchases, PurchasesRequest(), token: stranger.token).cursor
            await #expect(throws: refusal) {
                try await harness.call(DeviceEndpoints.purchases, PurchasesRequest(after: foreign), token: phone.token)
            }
        }
    }

    @Test func `many are finished at once, and the unknown among them are passed over`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let bought = [try await phone.buy(.credits), try await phone.buy(.filter), try await phone.buy(.book)].map(\.transactionId)
            let stranger = try await harness.phone("eve@example.com")
            let foreign = try await stranger.buy(.filter).transactionId
            let request = FinishRequest(transaction: bought[0], further: [bought[1], "nothing", foreign, bought[1]])
            _ = try await harness.call(DeviceEndpoints.finish, request, token: phone.token)
            #expect(try await phone.unfinishedTransactions().map(\.transactionId) == [bought[2]])
            #expect(try await stranger.unfinishedTransactions().map(\.transactionId) == [foreign])
            let flood = FinishRequest(transaction: bought[2], further: Array(repeating: bought[2], count: FinishRequest.limit + 1))
            await #expect(throws: Refused(status: 400, code: "request.unusable")) {
                try await harness.call(DeviceEndpoints.finish, flood, token: phone.token)
            }
            #expect(try await phone.unfinished().transactions.count == 1)
        }
    }
}
