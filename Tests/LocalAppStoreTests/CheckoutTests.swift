import Foundation
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

@Suite struct CheckoutTests {
    @Test func `a payment that is sent twice is charged once and answered alike`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let payment = PaymentID(UUID())
            let first = try await phone.buy(.credits, payment: payment)
            let second = try await phone.buy(.credits, payment: payment)
            #expect(first.transactionId == second.transactionId)
            #expect(try await harness.charges().count == 1)
            #expect(try await harness.notices() == ["ONE_TIME_CHARGE"])
        }
    }

    @Test func `a payment that is sent twenty times at once is charged once`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let payment = PaymentID(UUID())
            let ids = try await withThrowingTaskGroup(of: TransactionID.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await phone.buy(.credits, payment: payment).transactionId }
                }
                return try await group.reduce(into: Set<TransactionID>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func `a repeated purchase of a subscription is answered alike, not refused as a second one`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let payment = PaymentID(UUID())
            let first = try await phone.buy(.magazine, payment: payment)
            #expect(try await phone.buy(.magazine, payment: payment).transactionId == first.transactionId)
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func `a payment id is refused to another account and for another product`() async throws {
        try await StoreHarness.run { harness in
            let ada = try await harness.phone()
            let eve = try await harness.phone("eve@example.com", device: .second)
            let payment = PaymentID(UUID())
            _ = try await ada.buy(.credits, payment: payment)
            let reused = Refused(status: 409, code: "payment.reused")
            await #expect(throws: reused) { try await eve.purchase(.credits, payment: payment) }
            await #expect(throws: reused) { try await ada.purchase(.book, payment: payment) }
            #expect(try await harness.charges(of: "eve@example.com").isEmpty)
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func `the charge is the price times the quantity`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let customer = CustomerID(UUID())
            let transaction = try await phone.buy(.credits, 4, customer: customer)
            #expect(transaction.quantity == 4)
            #expect(transaction.price == 3960)
            #expect(transaction.currency == "USD")
            #expect(transaction.appAccountToken == customer)
            #expect(transaction.purchaseDate == .testStart)
            #expect(transaction.originalTransactionId == transaction.transactionId)
            #expect(transaction.environment == "Sandbox")
            let charges = try await harness.charges()
            #expect(charges.map(\.amount) == [Money(milliunits: 3960, currency: "USD")])
            #expect(charges.map(\.transaction) == [transaction.transactionId])
        }
    }

    @Test(
        arguments: [
            ("no.such.product", 1, nil, 5), (ProductID.credits, 0, nil, 3), (.credits, 11, nil, 3), (.credits, -1, nil, 3),
            (.credits, .max, nil, 3), (.book, 2, nil, 3), (.magazine, 2, nil, 3), (.news, 2, nil, 3), (.credits, 1, "not a UUID", 3),
        ] as [(ProductID, Int, CustomerID?, Int)])
    func `what cannot be sold is refused with a code and not charged`(
        _ product: ProductID, _ quantity: Int, _ customer: CustomerID?, _ code: Int
    ) async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let payment = PaymentID(UUID())
            guard case .refused(code, _) = try await phone.purchase(product, quantity, payment: payment, customer: customer) else {
                Issue.record("the payment was not refused with \(code)")
                return
            }
            #expect(try await harness.charges().isEmpty)
            #expect(try await phone.unfinished().transactions.isEmpty)
            // The refusal left nothing behind that would stand in the way of a proper payment.
            _ = try await phone.buy(.credits, payment: payment)
        }
    }

    @Test func `ten of the dearest product still fit`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            #expect(try await phone.buy(.dear, 10).price == 9_999_999_999_990_000)
        }
    }

    @Test(arguments: [ProductID.filter, .news])
    func `what is owned is taken again for nothing and keeps its original`(_ product: ProductID) async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let first = try await phone.buy(product)
            let charged = try await harness.charges().count
            try await harness.advance(days: 3)
            let second = try await phone.buy(product)
            #expect(second.transactionId != first.transactionId)
            #expect(second.originalTransactionId == first.transactionId)
            #expect(second.originalPurchaseDate == first.purchaseDate)
            #expect(second.purchaseDate == first.purchaseDate.adding(days: 3))
            #expect(second.price == 0)
            #expect(try await harness.charges().count == charged)
            #expect(try await harness.notices().count == 1)
        }
    }

    @Test func `a consumable is charged each time`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let first = try await phone.buy(.credits)
            let second = try await phone.buy(.credits)
            #expect(second.originalTransactionId == second.transactionId)
            #expect(first.transactionId < second.transactionId)
            #expect(try await harness.charges().count == 2)
        }
    }

    @Test func `the subscription that a customer has is not sold again`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            _ = try await phone.buy(.magazine)
            guard case .refused(0, _) = try await phone.purchase(.magazine) else {
                Issue.record("the second subscription was sold")
                return
            }
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func `a lower subscription of the group waits for the renewal and is charged then, once`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let magazine = try await phone.buy(.magazine)
            let payment = PaymentID(UUID())
            #expect(try await phone.buy(.magazineWeekly, payment: payment).transactionId == magazine.transactionId)
            #expect(try await phone.buy(.magazineWeekly, payment: payment).transactionId == magazine.transactionId)
            #expect(try await harness.charges().count == 1)
            try await harness.advance(days: 31)
            #expect(try await harness.charges().map(\.productID) == [.magazine, .magazineWeekly])
            #expect(try await harness.notices() == ["SUBSCRIBED.INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF.DOWNGRADE", "DID_RENEW"])
        }
    }

    @Test func `a higher subscription of the group starts at once, and what was left of the lower one is paid back`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let weekly = try await phone.buy(.magazineWeekly)
            try await harness.advance(days: 3)
            let magazine = try await phone.buy(.magazine)
            #expect(magazine.originalTransactionId == weekly.transactionId)
            #expect(magazine.purchaseDate == Timestamp.testStart.adding(days: 3))
            // 4 of 7 days of 0.99 are left.
            #expect(try await harness.charges().map(\.amount.milliunits) == [990, -565, 2_990])
            #expect(try await phone.unfinishedTransactions().first?.isUpgraded == true)
            #expect(try await harness.notices() == ["SUBSCRIBED.INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF.UPGRADE"])
        }
    }

    @Test func `an unfinished transaction comes back until it is finished, which can be said twice`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.phone()
            let payment = PaymentID(UUID())
            let transaction = try await phone.buy(.credits, payment: payment)
            #expect(try await phone.unfinished().transactions.map(\.payment) == [payment])
            #expect(try await phone.unfinishedTransactions().map(\.transactionId) == [transaction.transactionId])
            try await phone.finish(transaction.transactionId)
            try await phone.finish(transaction.transactionId)
            #expect(try await phone.unfinished().transactions.isEmpty)
        }
    }

    @Test func `transactions of others can neither be seen nor finished`() async throws {
        try await StoreHarness.run { harness in
            let ada = try await harness.phone()
            let eve = try await harness.phone("eve@example.com", device: .second)
            let transaction = try await ada.buy(.credits)
            #expect(try await eve.unfinished().transactions.isEmpty)
            let unknown = Refused(status: 404, code: "transaction.unknown")
            await #expect(throws: unknown) { try await eve.finish(transaction.transactionId) }
            await #expect(throws: unknown) { try await eve.finish("1") }
            #expect(try await ada.unfinished().transactions.count == 1)
        }
    }

    @Test func `a purchase on one device is not unfinished on another of the same account`() async throws {
        try await StoreHarness.run { harness in
            let first = try await harness.phone()
            let second = try await harness.phone(device: .second)
            _ = try await first.buy(.credits)
            #expect(try await second.unfinished().transactions.isEmpty)
            #expect(try await first.unfinished().transactions.count == 1)
        }
    }
}
