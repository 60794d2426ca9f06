import Foundation
import GRDB
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct TransactionHistoryTests {
    @Test func `the history has every renewal and no restored transactions`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let (magazine, book) = (try await phone.buy(.magazine), try await phone.buy(.book))
            try await harness.advance(days: 40)
            #expect(try await phone.restore().count == 3)
            let (found, _) = try await harness.completeHistory(magazine.transactionId)
            #expect(found.map(\.productId) == [.magazine, .book, .magazine])
            #expect(found[1].transactionId == book.transactionId)
            #expect(found.allSatisfy { $0.signedDate == harness.store.clock.now })
        }
    }

    @Test func `the ID of a restored transaction finds the history of its account`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let book = try await phone.buy(.book)
            let restored = try #require(try await phone.restore().first).restored
            #expect(try await harness.completeHistory(restored.transactionId).transactions.map(\.transactionId) == [book.transactionId])
        }
    }

    @Test func `a Family Sharing transaction is only in the history of the family member`() async throws {
        try await StoreHarness.run { harness in
            for account: AccountID in ["ada@example.com", "bob@example.com"] {
                try await harness.createAccount(account)
                try await harness.set(account) { $0.family = "f" }
            }
            let bought = try await harness.signIn("ada@example.com").buy(.book)
            let other = try await harness.signIn("bob@example.com").buy(.credits)
            #expect(try await harness.completeHistory(bought.transactionId).transactions.map(\.transactionId) == [bought.transactionId])
            let bobs = try await harness.completeHistory(other.transactionId).transactions
            #expect(bobs.map(\.productId) == [.book, .credits])
            #expect(bobs.map(\.ownership) == [.familyShared, .purchased])
            let shared = try await harness.completeHistory(other.transactionId, "inAppOwnershipType=FAMILY_SHARED").transactions
            #expect(shared.map(\.productId) == [.book])
        }
    }

    @Test func `an upgrade lists the replaced period again`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let weekly = try await phone.buy(.magazineWeekly)
            let (first, revision) = try await harness.completeHistory(weekly.transactionId)
            #expect(first.count == 1)
            let magazine = try await phone.buy(.magazine)
            let (changes, _) = try await harness.completeHistory(weekly.transactionId, from: revision)
            #expect(Set(changes.map(\.transactionId)) == [weekly.transactionId, magazine.transactionId])
            #expect(changes.first { $0.productId == .magazineWeekly }?.isUpgraded == true)
        }
    }

    @Test func `reading all pages finds every change that happens meanwhile`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            var ids: [TransactionID] = []
            for _ in 0..<50 { ids.append(try await phone.buy(.credits).transactionId) }
            var random = SeededRandom(seed: 7)
            var (seen, revision, hasMore) = ([TransactionID: Bool](), "", true)
            var refunds = ids.shuffled(using: &random).prefix(20)
            while hasMore {
                let query = revision.isEmpty ? "" : "revision=\(revision)"
                let page = try await harness.api(.transactionHistory, ids[0].rawValue, query: query, HistoryResponse.self)
                for payload in try await harness.payloads(page.signedTransactions) { seen[payload.transactionId] = payload.isRevoked }
                (revision, hasMore) = (page.revision, page.hasMore)
                for _ in 0..<5 { if let id = refunds.popLast() { try await harness.refund(id) } }
            }
            for id in refunds { try await harness.refund(id) }
            for payload in try await harness.completeHistory(ids[0], from: revision).transactions {
                seen[payload.transactionId] = payload.isRevoked
            }
            #expect(seen.count == 50)
            #expect(seen.values.filter { $0 }.count == 20)
        }
    }

    @Test func `a page of the history is read through an index`() async throws {
        try await StoreHarness.run { harness in
            let plan = try await harness.store.context.read { db in
                let app = try harness.store.context.apps.require(.test)
                let request = TransactionRecord.known(of: "ada@example.com", in: APIScope(app: app, environment: .sandbox))
                    .filter(Column("change") > 5_000).order(Column("change")).limit(21)
                let prepared = try request.makePreparedRequest(db)
                return try Row.fetchAll(
                    db, sql: "EXPLAIN QUERY PLAN \(prepared.statement.sql)", arguments: prepared.statement.arguments
                ).map { $0["detail"] as String }
            }
            #expect(plan.contains { $0.contains("transactions_change (account=? AND bundleID=? AND change>?)") }, "\(plan)")
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        }
    }

    @Test func `a page token is valid only unchanged and for its query`() throws {
        let token = PageToken(PageToken.Position(first: .max, second: -1), at: .testStart)
        let text = token.text(for: "query")
        #expect(PageToken(text, for: "query") == token)
        #expect(PageToken(text, for: "another") == nil)
        for index in text.indices {
            var broken = text
            broken.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(PageToken(broken, for: "query") == nil)
            #expect(PageToken(String(text[..<index]), for: "query") == nil)
        }
    }
}
