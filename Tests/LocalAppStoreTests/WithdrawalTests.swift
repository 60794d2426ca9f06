import GRDB
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

@Suite struct WithdrawalTests {
    @Test func `a change that waits can be withdrawn once, and nothing is charged`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let period = try await phone.buy(.magazine).transactionId
            _ = try await phone.purchase(.magazineWeekly)
            try await harness.act(SubscriptionRequest(.withdrawChange), on: period)
            #expect(try await harness.notices().last == "DID_CHANGE_RENEWAL_PREF")
            await #expect(throws: Self.refusal) { try await harness.act(SubscriptionRequest(.withdrawChange), on: period) }
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func `withdrawing buys nothing where the subscription has ended or is owed`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let period = try await phone.buy(.magazine).transactionId
            _ = try await phone.purchase(.magazineWeekly)
            try await harness.setCard(works: false)
            try await harness.advance(days: 32)
            try await harness.store.ledger.write { db, _ in
                try db.execute(sql: "UPDATE accounts SET cardWorks = 1")
            }
            await #expect(throws: Self.refusal) { try await harness.act(SubscriptionRequest(.withdrawChange), on: period) }
            try await harness.act(SubscriptionRequest(.expire), on: period)
            await #expect(throws: Self.refusal) { try await harness.act(SubscriptionRequest(.withdrawChange), on: period) }
            #expect(try await harness.charges().count == 1)
        }
    }

    private static let refusal = Refused(status: 400, code: "request.unusable")
}
