import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

/// Tests of paginated replies in the device API: no page omits or repeats an entry.
@Suite struct DevicePageTests {
    /// Copies a transaction until its account has `count` of them.
    private static func insertCopies(_ id: TransactionID, _ count: Int, in harness: StoreHarness) async throws {
        try await harness.store.context.transaction { db, now in
            guard var row = try TransactionRecord.find(id, db) else { throw StoreError.transactionUnknown }
            for _ in 1..<count {
                row.id = TransactionID(try StoreCounter.transaction.next(db))
                row.originalID = row.id
                row.payment = nil
                row.price = 0
                try harness.store.storeServices.transactions.insert(&row, at: now, db)
            }
        }
    }

    private static func ids(_ signed: [SignedTransaction], _ harness: StoreHarness) async throws -> [TransactionID] {
        var ids: [TransactionID] = []
        for transaction in signed { ids.append(try await harness.verifier.verify(transaction).payload.transactionId) }
        return ids
    }

    @Test func `unfinished transactions come in pages of 1,000, and only the last page has the storefront`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            try await Self.insertCopies(try await phone.buy(.credits).transactionId, 2_001, in: harness)
            var ids: [TransactionID] = []
            var sizes: [Int] = []
            var next: String?
            repeat {
                let page = try await phone.call(DeviceEndpoints.unfinished, UnfinishedRequest(paginationToken: next))
                ids += try await Self.ids(page.transactions.map(\.signedTransaction), harness)
                sizes.append(page.transactions.count)
                next = page.paginationToken
                #expect((page.storefront != nil) == (next == nil))
            } while next != nil
            #expect(sizes == [1_000, 1_000, 1])
            #expect(ids == ids.sorted { $0.rawValue < $1.rawValue } && Set(ids).count == 2_001)
        }
    }

    /// A device that has not fetched its history yet has the transactions of its own purchases.
    @Test func `after a deletion, the first page replaces the history of a device, also of one that has fetched none`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let credits = try await phone.buy(.credits).transactionId
            let filter = try await phone.buy(.filter).transactionId
            let before = try await phone.call(DeviceEndpoints.history, HistoryRequest())
            #expect(before.transactions.count == 2 && before.replacesHistory == nil)
            _ = try await harness.store.storeServices.inProcess.delete(filter, of: phone.account)
            for revision in [nil, before.revision] {
                let page = try await phone.call(DeviceEndpoints.history, HistoryRequest(revision: revision))
                #expect(page.replacesHistory == true, "after \(revision ?? "no revision")")
                #expect(try await Self.ids(page.transactions.map(\.signedTransaction), harness) == [credits])
                let next = try await phone.call(DeviceEndpoints.history, HistoryRequest(revision: page.revision))
                #expect(next.transactions.isEmpty && next.replacesHistory == nil)
            }
        }
    }

    @Test func `10,000 restored transactions come in pages with their originals, and a repeated page is the same`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            try await Self.insertCopies(try await phone.buy(.filter).transactionId, 10_000, in: harness)
            var request = RestoreRequest(requestID: UUID(), appAccountToken: nil)
            var ids: Set<TransactionID> = []
            var pages = 0
            repeat {
                let page = try await phone.call(DeviceEndpoints.restore, request)
                let found = try await Self.ids(page.transactions.map(\.signedTransaction), harness)
                #expect(found.count == 500 && page.transactions.allSatisfy { $0.restoredFrom != nil })
                if pages % 7 == 0 {
                    let again = try await phone.call(DeviceEndpoints.restore, request)
                    #expect(try await Self.ids(again.transactions.map(\.signedTransaction), harness) == found)
                }
                ids.formUnion(found)
                request.paginationToken = page.paginationToken
                pages += 1
            } while request.paginationToken != nil
            #expect(pages == 20 && ids.count == 10_000)
        }
    }

    @Test func `a history lists the transactions that are new, changed or finished on any device since the cursor`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let second = try await harness.signIn(device: .second)
            func changes(_ cursor: String?) async throws -> (ids: [TransactionID], reply: HistoryReply) {
                let reply = try await harness.call(DeviceEndpoints.history, HistoryRequest(revision: cursor), token: second.token)
                return (try await Self.ids(reply.transactions.map(\.signedTransaction), harness), reply)
            }
            let empty = try await changes(nil)
            #expect(empty.ids.isEmpty && !empty.reply.hasMore)
            let credits = try await phone.buy(.credits).transactionId
            let magazine = try await phone.buy(.magazine).transactionId
            let bought = try await changes(empty.reply.revision)
            #expect(bought.ids == [credits, magazine] && bought.reply.transactions.allSatisfy { !$0.isFinished })
            #expect(bought.reply.statuses.map(\.status) == [1])
            try await phone.finish(credits)
            let finished = try await changes(bought.reply.revision)
            #expect(finished.ids == [credits] && finished.reply.transactions.first?.isFinished == true)
            #expect(try await changes(finished.reply.revision).ids.isEmpty)
            _ = try await phone.restore()
            #expect(try await changes(finished.reply.revision).ids.isEmpty)
            try await harness.refund(magazine)
            let refunded = try await changes(finished.reply.revision)
            #expect(refunded.ids == [magazine] && refunded.reply.statuses.map(\.status) == [5])
            #expect(try await changes(nil).ids == [credits, magazine])
        }
    }

    @Test func `a history of several pages has subscription statuses only on the last page`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            _ = try await phone.buy(.magazine)
            try await Self.insertCopies(try await phone.buy(.credits).transactionId, 1_000, in: harness)
            let first = try await phone.call(DeviceEndpoints.history, HistoryRequest())
            #expect(first.transactions.count == 1_000 && first.hasMore && first.statuses.isEmpty)
            let last = try await phone.call(DeviceEndpoints.history, HistoryRequest(revision: first.revision))
            #expect(last.transactions.count == 1 && !last.hasMore && last.statuses.count == 1)
        }
    }

    @Test(arguments: ["", "0", "17", "AAAA", "2000000000000001", String(repeating: "9", count: 500), "💥"])
    func `an invalid cursor or the cursor of another account is refused`(cursor: String) async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let stranger = try await harness.signIn("eve@example.com")
            _ = try await stranger.buy(.filter)
            let refusal = Refused(status: 400, code: "request.invalid-value")
            await #expect(throws: refusal) {
                try await phone.call(DeviceEndpoints.unfinished, UnfinishedRequest(paginationToken: cursor))
            }
            await #expect(throws: refusal) {
                var request = RestoreRequest(requestID: UUID(), appAccountToken: nil)
                request.paginationToken = cursor
                return try await phone.call(DeviceEndpoints.restore, request)
            }
            await #expect(throws: refusal) {
                try await phone.call(DeviceEndpoints.history, HistoryRequest(revision: cursor))
            }
            let foreign = try await harness.call(DeviceEndpoints.history, HistoryRequest(), token: stranger.token).revision
            await #expect(throws: refusal) {
                try await phone.call(DeviceEndpoints.history, HistoryRequest(revision: foreign))
            }
        }
    }

    @Test func `several transactions are finished at once, and unknown IDs are ignored`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let bought = [try await phone.buy(.credits), try await phone.buy(.filter), try await phone.buy(.book)].map(\.transactionId)
            let stranger = try await harness.signIn("eve@example.com")
            let foreign = try await stranger.buy(.filter).transactionId
            let request = FinishRequest(transactionID: bought[0], furtherTransactionIDs: [bought[1], "nothing", foreign, bought[1]])
            _ = try await phone.call(DeviceEndpoints.finish, request)
            #expect(try await phone.unfinishedTransactions().map(\.transactionId) == [bought[2]])
            #expect(try await stranger.unfinishedTransactions().map(\.transactionId) == [foreign])
            let oversized = FinishRequest(
                transactionID: bought[2], furtherTransactionIDs: Array(repeating: bought[2], count: FinishRequest.limit + 1))
            await #expect(throws: Refused(status: 400, code: "request.invalid-value")) {
                try await phone.call(DeviceEndpoints.finish, oversized)
            }
            #expect(try await phone.unfinished().transactions.count == 1)
        }
    }
}
