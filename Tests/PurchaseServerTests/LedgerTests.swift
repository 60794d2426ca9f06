import Foundation
import HTTPTypes
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the endpoints for balances.
@Suite struct LedgerTests {
    @Test func `a debit is made once, and an insufficient balance is unchanged`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.creditSale)
            for isRepeated in [false, true] {
                #expect(try await shop.debit(2, "a").value() == LedgerReply(currency: .credits, balance: 3, isRepeated: isRepeated))
            }
            let refused = try await shop.debit(4, "b")
            #expect(refused.status == .conflict)
            #expect(refused.code == "balance.too-small")
            #expect(try await shop.debit(3, "a").code == "idempotency-key.reused")
            #expect(try await shop.balance() == 3)
        }
    }

    @Test func `concurrent debits never exceed the balance`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.creditSale)
            let acceptedCount = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<12 {
                    group.addTask { try await shop.debit(1, "s\(number)").status == .ok }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(acceptedCount == 5)
            #expect(try await shop.balance() == 0)
        }
    }

    @Test(arguments: [
        (0, "a", "debit.amount"), (-5, "a", "debit.amount"), (1_000_000_001, "a", "debit.amount"), (Int64.max, "a", "debit.amount"),
        (Int64.min, "a", "debit.amount"), (1, "", "idempotency-key.malformed"),
        (1, String(repeating: "x", count: 101), "idempotency-key.malformed"),
    ])
    func `an invalid debit is refused`(_ amount: Int64, _ key: String, _ code: String) async throws {
        try await Shop.open { shop async throws in
            let answer = try await shop.debit(amount, key)
            #expect(answer.status == .badRequest)
            #expect(answer.code == code)
        }
    }

    @Test func `a statement lists every posting in pages, and its entries add up to zero`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.creditSale)
            _ = try await shop.call(ServerEndpoints.creditGrant, DebitRequest(idempotencyKey: "gift", amount: 10))
            for number in 1...5 { _ = try await shop.debit(1, "d\(number)") }
            _ = try await shop.notify(.about(.creditSale.refunded(), type: "REFUND"))
            var postings: [StatementReply.Posting] = []
            var query = "?limit=3"
            while true {
                let page: StatementReply = try await shop.call(ServerEndpoints.statement, Empty(), query: query, by: shop.app).value()
                postings += page.postings
                guard let next = page.nextBefore else { break }
                query = "?limit=3&before=\(next)"
            }
            #expect(postings.map(\.kind) == ["refund"] + Array(repeating: "debit", count: 5) + ["grant", "purchase"])
            #expect(postings.map(\.number) == Array((1...8).reversed()))
            #expect(postings.map(\.balance) == [5, 10, 11, 12, 13, 14, 15, 5])
            #expect(postings.allSatisfy { $0.entries.map(\.amount).reduce(0, +) == 0 })
            for query in ["?limit=0", "?limit=201", "?limit=x", "?before=0", "?limit=99999999999999999999"] {
                #expect(try await shop.call(ServerEndpoints.statement, Empty(), query: query).code == "statement.page", "\(query)")
            }
        }
    }

    @Test func `a backend lifts a freeze`() async throws {
        try await Shop.open(change: Shop.Change { $0.refundPolicy = .freeze }) { shop async throws in
            try await shop.record(.creditSale)
            _ = try await shop.debit(5, "a")
            _ = try await shop.notify(.about(.creditSale.refunded(), type: "REFUND"))
            _ = try await shop.call(ServerEndpoints.creditGrant, DebitRequest(idempotencyKey: "b", amount: 10))
            #expect(try await shop.debit(1, "c").code == "balance.frozen")
            let balance: BalanceReply = try await shop.call(ServerEndpoints.unfreeze, UnfreezeRequest()).value()
            #expect(balance == BalanceReply(currency: .credits, amount: 5))
            #expect(try await shop.debit(1, "c").status == .ok)
        }
    }

    @Test func `a backend lifts several freezes in the same millisecond`() async throws {
        let storage = try SQLitePurchaseStorage(.memory)
        let ledger = LedgerService(app: .test, storage: storage, clock: ManualClock())
        for number in 1...3 {
            try await storage.write(.test) { records in
                let frozen = CreditBalance(amount: -5, isFrozen: true)
                try records.post(
                    LedgerPosting(
                        customer: Shop.customer, currency: .credits, key: "refund \(number)", kind: .refund, entries: [], balance: -5,
                        date: .testStart),
                    balance: frozen)
            }
            for _ in 0..<2 {
                let balance = try await ledger.unfreeze(.credits, of: .id(Shop.customer))
                #expect(balance == BalanceReply(currency: .credits, amount: -5))
            }
        }
        let statement = try await ledger.statement(of: .id(Shop.customer), in: .credits, before: nil, limit: 10)
        #expect(statement.postings.map(\.kind) == ["unfreeze", "refund", "unfreeze", "refund", "unfreeze", "refund"])
    }

    @Test func `credits in a misspelled currency are refused with the nearest one, and nothing is posted`() async throws {
        try await Shop.open { shop async throws in
            func grant(_ currency: CurrencyID) async throws -> Answer {
                try await shop.call(ServerEndpoints.creditGrant, DebitRequest(idempotencyKey: "a", amount: 3, currency: currency))
            }
            let refused = try await grant("gmes")
            #expect(refused.status == .badRequest && refused.code == "currency.unknown")
            #expect(try refused.value(WireError.self).message.contains("The most similar name is \"gems\""))
            #expect(try await shop.call(ServerEndpoints.balances, Empty()).value(BalancesReply.self).balances.isEmpty)
            for currency in [CurrencyID.credits, "gems"] { #expect(try await grant(currency).status == .ok) }
        }
    }

    @Test func `currencies are separate`() async throws {
        try await Shop.open { shop async throws in
            for currency in [CurrencyID.credits, "gems"] {
                let request = DebitRequest(idempotencyKey: "a", amount: 3, currency: currency)
                #expect(try await shop.call(ServerEndpoints.creditGrant, request).value(LedgerReply.self).balance == 3)
            }
            let debit = DebitRequest(idempotencyKey: "a", amount: 2, currency: "gems")
            #expect(try await shop.call(ServerEndpoints.debit, debit).value(LedgerReply.self).balance == 1)
            #expect(try await shop.balance() == 3)
        }
    }
}
