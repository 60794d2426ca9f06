import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import Testing

@testable import LocalAppStore

@Suite struct RefundTests {
    @Test func `a refund gives the money back once, revokes the transaction and is announced`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let book = try await phone.buy(.book)
            try await harness.refund(book.transactionId)
            try await harness.refund(book.transactionId)
            #expect(try await harness.charges().map(\.amount.milliunits) == [4990, -4990])
            #expect(try await harness.notices() == ["ONE_TIME_CHARGE", "REFUND"])
            let refunded = try #require(try await harness.notifications().last?.transaction?.payload)
            #expect(refunded.revocationDate == book.purchaseDate)
            #expect(refunded.revocationReason == 0)
            #expect(try await phone.unfinishedTransactions().allSatisfy { $0.isRevoked })
        }
    }

    @Test func `after a refund the product is charged again`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let first = try await phone.buy(.book)
            try await harness.refund(first.transactionId)
            let second = try await phone.buy(.book)
            #expect(second.originalTransactionId == second.transactionId)
            #expect(second.price == 4990)
        }
    }

    @Test func `what was restored or taken again goes with the refund`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let first = try await phone.buy(.book)
            let again = try await phone.buy(.book)
            _ = try await phone.restore()
            await #expect(throws: Refused(status: 409, code: "refund.nothing-paid")) { try await harness.refund(again.transactionId) }
            try await harness.refund(first.transactionId)
            let unfinished = try await phone.unfinishedTransactions()
            #expect(unfinished.count == 3)
            #expect(unfinished.allSatisfy { $0.isRevoked })
        }
    }

    @Test func `refunding the newest period ends a subscription, an older one does not`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let first = try await phone.buy(.magazine)
            try await harness.advance(days: 30)
            let newest = try #require(try await phone.unfinishedTransactions().last)
            try await harness.refund(first.transactionId)
            #expect(try await harness.notifications().last?.notification.payload.data?.status == 1)
            try await harness.refund(newest.transactionId)
            #expect(try await harness.notifications().last?.notification.payload.data?.status == 5)
            #expect(try await harness.notices().suffix(2) == ["REFUND", "REFUND"])
            try await harness.advance(days: 100)
            #expect(try await harness.charges().count == 4)
        }
    }

    @Test func `what does not exist or cost nothing cannot be refunded`() async throws {
        try await StoreHarness.run { harness in
            let news = try await harness.phone().buy(.news)
            await #expect(throws: Refused(status: 409, code: "refund.nothing-paid")) { try await harness.refund(news.transactionId) }
            await #expect(throws: Refused(status: 404, code: "transaction.unknown")) { try await harness.refund("1") }
        }
    }

    @Test func `the notification of a subscription's refund says why`() async throws {
        try await StoreHarness.run { harness in
            let period = try await harness.phone().buy(.magazine)
            _ = try await harness.call(ControlEndpoints.refund, IssueRefund(transaction: period.transactionId, reason: 1))
            #expect(try await harness.notices().last == "REFUND")
            #expect(try await harness.notifications().last?.transaction?.payload.revocationReason == 1)
        }
    }

    @Test func `what was restored of a subscription goes with a refund and comes back with its reversal`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let period = try await phone.buy(.magazine).transactionId
            _ = try await phone.restore()
            try await harness.refund(period)
            #expect(try await phone.unfinishedTransactions().map(\.isRevoked) == [true, true])
            _ = try await harness.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transaction: period))
            #expect(try await phone.unfinishedTransactions().map(\.isRevoked) == [false, false])
        }
    }
}
