import Foundation
import GRDB
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

@Suite struct RenewalTests {
    private static let month = BillingPeriod(1, .month)

    @Test func `a year has twelve renewals in order, each with a charge and a notification`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.magazine)
            let year = try #require(BillingPeriod(1, .year)).end(after: first.purchaseDate)
            let seconds = (year.milliseconds - first.purchaseDate.milliseconds) / 1000
            let clock = try await harness.call(ControlEndpoints.advance, AdvanceRequest(seconds: seconds))
            #expect(clock.now == year)

            let transactions = try await phone.unfinishedTransactions()
            #expect(transactions.count == 13)
            #expect(Set(transactions.map(\.transactionId)).count == 13)
            #expect(Set(transactions.map(\.webOrderLineItemId)).count == 13)
            #expect(transactions.map(\.transactionReason) == ["PURCHASE"] + Array(repeating: "RENEWAL", count: 12))
            #expect(transactions.allSatisfy { $0.originalTransactionId == first.transactionId })
            for (previous, next) in zip(transactions, transactions.dropFirst()) {
                #expect(next.purchaseDate == previous.expiresDate)
                // The subscription renews on the last day of shorter months, and on January 31 again after a year.
                #expect(next.expiresDate == Self.month?.end(after: next.purchaseDate, day: 31))
            }
            #expect(try await harness.charges().map(\.date) == transactions.map(\.purchaseDate))
            #expect(try await harness.notificationTypes() == ["SUBSCRIBED.INITIAL_BUY"] + Array(repeating: "DID_RENEW", count: 12))

            let notifications = try await harness.notifications()
            #expect(notifications.map(\.transaction?.payload.transactionId) == transactions.map(\.transactionId))
            #expect(notifications.map(\.notification.payload.signedDate) == transactions.map(\.purchaseDate))
            #expect(notifications.allSatisfy { $0.notification.payload.data?.status == 1 && $0.renewalInfo?.payload.autoRenewStatus == 1 })
        }
    }

    @Test func `a subscription renews when the base clock advances`() async throws {
        let clock = ManualClock()
        try await StoreHarness.run(clock: clock) { harness in
            let phone = try await harness.signIn()
            _ = try await phone.buy(.magazine)
            clock.advance(seconds: 32 * 86_400)
            #expect(try await phone.unfinished().transactions.count == 2)
            #expect(try await harness.charges().count == 2)
        }
    }

    @Test func `a declined renewal starts the billing grace period, and recovery keeps the billing cycle`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.magazine)
            try await harness.setPaymentMethod(isValid: false)
            try await harness.advance(days: 30)
            #expect(try await phone.unfinished().transactions.count == 1)
            let failed = try #require(try await harness.notifications().last)
            #expect(failed.notification.payload.subtype == "GRACE_PERIOD")
            #expect(failed.notification.payload.data?.status == 4)
            #expect(failed.renewalInfo?.payload.isInBillingRetryPeriod == true)
            #expect(failed.renewalInfo?.payload.gracePeriodExpiresDate == first.expiresDate?.adding(days: 16))

            try await harness.setPaymentMethod(isValid: true)
            let recovered = try #require(try await phone.unfinishedTransactions().last)
            #expect(recovered.purchaseDate == first.expiresDate)
            #expect(recovered.expiresDate == Self.month?.end(after: recovered.purchaseDate, day: 31))
            #expect(
                try await harness.notificationTypes() == [
                    "SUBSCRIBED.INITIAL_BUY", "DID_FAIL_TO_RENEW.GRACE_PERIOD", "DID_RENEW.BILLING_RECOVERY",
                ]
            )
            #expect(try await harness.charges().count == 2)
        }
    }

    @Test func `a subscription expires after 60 days of billing retry, and buying it again resumes it`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.magazine)
            try await harness.setPaymentMethod(isValid: false)
            try await harness.advance(days: 100)
            #expect(
                try await harness.notificationTypes() == [
                    "SUBSCRIBED.INITIAL_BUY", "DID_FAIL_TO_RENEW.GRACE_PERIOD", "GRACE_PERIOD_EXPIRED", "EXPIRED.BILLING_RETRY",
                ]
            )
            let expired = try #require(try await harness.notifications().last?.renewalInfo?.payload)
            #expect(expired.expirationIntent == 2)
            #expect(expired.autoRenewStatus == 0)
            #expect(expired.isInBillingRetryPeriod == false)

            try await harness.setPaymentMethod(isValid: true)
            let again = try await phone.buy(.magazineWeekly)
            #expect(again.originalTransactionId == first.transactionId)
            #expect(again.originalPurchaseDate == first.purchaseDate)
            #expect(again.purchaseDate == first.purchaseDate.adding(days: 100))
            #expect(try await harness.notificationTypes().last == "SUBSCRIBED.RESUBSCRIBE")
            try await harness.advance(days: 7)
            let renewed = try #require(try await phone.unfinishedTransactions().last)
            #expect(renewed.productId == .magazineWeekly)
            #expect(renewed.transactionReason == "RENEWAL")
        }
    }

    @Test(arguments: [-1, .min, .max, ClockService.longestAdvance + 1])
    func `the time cannot be advanced by a negative or excessive interval`(_ seconds: Int64) async throws {
        try await StoreHarness.run { harness in
            await #expect(throws: Refused(status: 400, code: "clock.out-of-range")) {
                try await harness.advance(seconds: seconds)
            }
            let clock = try await harness.call(ControlEndpoints.clock, Empty())
            #expect(clock.now == .testStart)
        }
    }

    @Test(arguments: [false, true])
    func `the time of a store cannot pass the validity of its certificates`(_ isNotifying: Bool) async throws {
        let clock = ManualClock(StoreTime.range.upperBound.adding(days: -300))
        try await StoreHarness.run(clock: clock) { harness in
            // An advance that sends notifications would stop at this renewal, which is just after the end of the range.
            try await harness.buy(.magazine)
            if isNotifying { try await harness.store.setNotificationURL("http://127.0.0.1:9/") }
            try await harness.advance(days: 200)
            await #expect(throws: Refused(status: 400, code: "clock.out-of-range")) { try await harness.advance(days: 101) }
            clock.advance(seconds: 200 * 86_400)
            #expect(harness.store.clock.now == StoreTime.range.upperBound)
        }
    }

    @Test func `a date that the time can't reach changes no setting of the clock`() async throws {
        try await StoreHarness.run(clock: ManualClock(StoreTime.range.upperBound.adding(days: -10))) { harness in
            let request = ClockRequest(factor: 2, now: StoreTime.range.upperBound.adding(days: 1))
            await #expect(throws: Refused(status: 400, code: "clock.out-of-range")) {
                try await harness.call(ControlEndpoints.setClock, request)
            }
            let clock = try await harness.call(ControlEndpoints.clock, Empty())
            #expect(clock.factor == 1)
        }
    }

    @Test func `a refund request that is due at the date of a renewal is decided before the renewal`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            _ = try await phone.buy(.magazine)
            let book = try await phone.buy(.book)
            _ = try await harness.call(ControlEndpoints.requestRefund, RefundRequest(transactionID: book.transactionId))
            try await harness.store.context.transaction { db, _ in
                try db.execute(sql: "UPDATE refundRequests SET due = (SELECT nextRenewalDate FROM subscriptions)")
            }
            try await harness.advance(days: 32)
            let kinds = try await harness.store.storeServices.events.events(after: 0, limit: 100).map(\.kind)
            #expect(kinds.filter { [.refund, .renewal].contains($0) } == [.refund, .renewal])
        }
    }

    @Test func `an advance over too many events stops at the last processed event and can continue`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            _ = try await phone.buy(.magazineWeekly)
            let time = harness.store.storeServices.time
            await #expect(throws: ClockError.tooManyEvents) { try await time.advance(seconds: 28 * 86_400, eventLimit: 2) }
            #expect(harness.store.clock.now == Timestamp.testStart.adding(days: 21))
            #expect(try await time.advance(seconds: 7 * 86_400, eventLimit: 2).now == Timestamp.testStart.adding(days: 28))
            #expect(try await phone.unfinished().transactions.count == 5)
        }
    }

    @Test func `a free subscription does not expire and is not renewed`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let news = try await phone.buy(.news)
            #expect(news.expiresDate == nil)
            #expect(news.productType == .freeSubscription)
            try await harness.advance(days: 400)
            #expect(try await phone.unfinished().transactions.count == 1)
            #expect(try await harness.charges().isEmpty)
            #expect(try await harness.notificationTypes() == ["SUBSCRIBED.INITIAL_BUY"])
        }
    }
}
