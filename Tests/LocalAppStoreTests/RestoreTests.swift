import Foundation
import PurchaseModel
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct RestoreTests {
    @Test func `a restore without purchases yields no transactions`() async throws {
        try await StoreHarness.run { harness in
            let restored = try await harness.signIn().restore()
            #expect(restored.isEmpty)
        }
    }

    @Test func `a restore yields each restorable purchase once, as a new transaction with its original`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let filter = try await phone.buy(.filter)
            _ = try await phone.buy(.filter)
            _ = try await phone.buy(.credits)
            _ = try await phone.buy(.season)
            let news = try await phone.buy(.news)
            let magazine = try await phone.buy(.magazine)
            try await harness.advance(days: 30)

            let second = try await harness.signIn(device: .second)
            let restored = try await second.restore()
            #expect(restored.map(\.original.productId) == [.filter, .news, .magazine, .magazine])
            #expect(restored.prefix(3).map(\.original.transactionId) == [filter.transactionId, news.transactionId, magazine.transactionId])
            for pair in restored {
                #expect(pair.restored.transactionId != pair.original.transactionId)
                #expect(pair.restored.originalTransactionId == pair.original.originalTransactionId)
                #expect(pair.restored.originalPurchaseDate == pair.original.originalPurchaseDate)
                #expect(pair.restored.purchaseDate == filter.purchaseDate.adding(days: 30))
                #expect(pair.restored.expiresDate == pair.original.expiresDate)
            }
            #expect(restored.last?.original.transactionReason == "RENEWAL")
        }
    }

    @Test func `a second restore creates new transactions, and a repeated request creates none`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let original = try await phone.buy(.filter)
            let request = UUID()
            let first = try await phone.restore(request)
            let repeated = try await phone.restore(request)
            let second = try await phone.restore()
            #expect(first.map(\.restored.transactionId) == repeated.map(\.restored.transactionId))
            #expect(second.count == 1)
            #expect(first.first?.restored.transactionId != second.first?.restored.transactionId)
            #expect(second.first?.original.transactionId == original.transactionId)
        }
    }

    @Test func `a restored transaction is unfinished on its device and is not charged`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let original = try await phone.buy(.filter)
            try await phone.finish(original.transactionId)
            let second = try await harness.signIn(device: .second)
            let restored = try #require(try await second.restore().first).restored
            let unfinished = try await second.unfinished().transactions
            #expect(unfinished.count == 1)
            #expect(unfinished.first?.restoredFrom != nil)
            #expect(unfinished.first?.payment == nil)
            #expect(try await phone.unfinished().transactions.isEmpty)
            try await second.finish(restored.transactionId)
            #expect(try await second.unfinished().transactions.isEmpty)
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func `a refunded purchase is not restored`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let filter = try await phone.buy(.filter)
            let book = try await phone.buy(.book)
            try await harness.refund(filter.transactionId)
            #expect(try await phone.restore().map(\.original.transactionId) == [book.transactionId])
        }
    }

    @Test func `a restore can be limited to one appAccountToken`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let customer = CustomerID(UUID())
            let filter = try await phone.buy(.filter, customer: customer)
            _ = try await phone.buy(.book)
            let restored = try await phone.restore(customer: customer)
            #expect(restored.map(\.original.transactionId) == [filter.transactionId])
            #expect(restored.first?.restored.appAccountToken == customer)
        }
    }

    @Test func `an account cannot restore the purchases of another account`() async throws {
        try await StoreHarness.run { harness in
            _ = try await harness.signIn().buy(.filter)
            #expect(try await harness.signIn("eve@example.com").restore().isEmpty)
        }
    }
}
