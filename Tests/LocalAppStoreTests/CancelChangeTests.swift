import GRDB
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct CancelChangeTests {
    @Test func `a pending product change can be canceled once, and nothing is charged`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let period = try await phone.buy(.magazine).transactionId
            _ = try await phone.purchase(.magazineWeekly)
            try await harness.perform(SubscriptionRequest(.cancelChange), on: period)
            #expect(try await harness.notificationTypes().last == "DID_CHANGE_RENEWAL_PREF")
            await #expect(throws: Self.refusal) { try await harness.perform(SubscriptionRequest(.cancelChange), on: period) }
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func `canceling a change charges nothing for a subscription that expired or is in billing retry`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let period = try await phone.buy(.magazine).transactionId
            _ = try await phone.purchase(.magazineWeekly)
            try await harness.setPaymentMethod(isValid: false)
            try await harness.advance(days: 32)
            try await harness.store.context.transaction { db, _ in
                try db.execute(sql: "UPDATE accounts SET hasValidPaymentMethod = 1")
            }
            await #expect(throws: Self.refusal) { try await harness.perform(SubscriptionRequest(.cancelChange), on: period) }
            try await harness.perform(SubscriptionRequest(.expire), on: period)
            await #expect(throws: Self.refusal) { try await harness.perform(SubscriptionRequest(.cancelChange), on: period) }
            #expect(try await harness.charges().count == 1)
        }
    }

    private static let refusal = Refused(status: 400, code: "request.invalid-value")
}
