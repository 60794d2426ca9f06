import Foundation
import PurchaseModel
import PurchaseProof
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct RefundTests {
    @Test func `a refund returns the money once, revokes the transaction and sends a notification`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let book = try await phone.buy(.book)
            try await harness.refund(book.transactionId)
            try await harness.refund(book.transactionId)
            #expect(try await harness.charges().map(\.amount.milliunits) == [4990, -4990])
            #expect(try await harness.notificationTypes() == ["ONE_TIME_CHARGE", "REFUND"])
            let refunded = try #require(try await harness.notifications().last?.transaction?.payload)
            #expect(refunded.revocationDate == book.purchaseDate)
            #expect(refunded.revocationReason == 0)
            #expect(try await phone.unfinishedTransactions().allSatisfy { $0.isRevoked })
        }
    }

    @Test func `after a refund the product is charged again`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.book)
            try await harness.refund(first.transactionId)
            let second = try await phone.buy(.book)
            #expect(second.originalTransactionId == second.transactionId)
            #expect(second.price == 4990)
        }
    }

    @Test func `a refund also revokes restores and repeated purchases of the product`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.book)
            let again = try await phone.buy(.book)
            _ = try await phone.restore()
            await #expect(throws: Refused(status: 409, code: "refund.not-charged")) { try await harness.refund(again.transactionId) }
            try await harness.refund(first.transactionId)
            let unfinished = try await phone.unfinishedTransactions()
            #expect(unfinished.count == 3)
            #expect(unfinished.allSatisfy { $0.isRevoked })
        }
    }

    @Test func `refunding the newest period ends a subscription, and refunding an older period does not`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.magazine)
            try await harness.advance(days: 30)
            let newest = try #require(try await phone.unfinishedTransactions().last)
            try await harness.refund(first.transactionId)
            #expect(try await harness.notifications().last?.notification.payload.data?.status == 1)
            try await harness.refund(newest.transactionId)
            #expect(try await harness.notifications().last?.notification.payload.data?.status == 5)
            #expect(try await harness.notificationTypes().suffix(2) == ["REFUND", "REFUND"])
            try await harness.advance(days: 100)
            #expect(try await harness.charges().count == 4)
        }
    }

    @Test func `unknown and free transactions cannot be refunded`() async throws {
        try await StoreHarness.run { harness in
            let news = try await harness.signIn().buy(.news)
            await #expect(throws: Refused(status: 409, code: "refund.not-charged")) { try await harness.refund(news.transactionId) }
            await #expect(throws: Refused(status: 404, code: "transaction.unknown")) { try await harness.refund("1") }
        }
    }

    @Test func `the notification of a subscription's refund has the revocation reason`() async throws {
        try await StoreHarness.run { harness in
            let period = try await harness.signIn().buy(.magazine)
            try await harness.refund(period.transactionId, reason: 1)
            #expect(try await harness.notificationTypes().last == "REFUND")
            #expect(try await harness.notifications().last?.transaction?.payload.revocationReason == 1)
        }
    }

    @Test func `a refund of a subscription revokes its restores, and a reversal reinstates them`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let period = try await phone.buy(.magazine).transactionId
            _ = try await phone.restore()
            try await harness.refund(period)
            #expect(try await phone.unfinishedTransactions().map(\.isRevoked) == [true, true])
            _ = try await harness.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transactionID: period))
            #expect(try await phone.unfinishedTransactions().map(\.isRevoked) == [false, false])
        }
    }
}
