import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct CheckoutTests {
    @Test func `a payment that is sent twice is charged once and yields one transaction`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let payment = PaymentID(UUID())
            let first = try await phone.buy(.credits, payment: payment)
            let second = try await phone.buy(.credits, payment: payment)
            #expect(first.transactionId == second.transactionId)
            #expect(try await harness.charges().count == 1)
            #expect(try await harness.notificationTypes() == ["ONE_TIME_CHARGE"])
        }
    }

    @Test func `a payment that is sent twenty times concurrently is charged once`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
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

    @Test func `a repeated payment for a subscription yields the same transaction`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let payment = PaymentID(UUID())
            let first = try await phone.buy(.magazine, payment: payment)
            #expect(try await phone.buy(.magazine, payment: payment).transactionId == first.transactionId)
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func `a payment ID cannot be reused by another account or for another product`() async throws {
        try await StoreHarness.run { harness in
            let ada = try await harness.signIn()
            let eve = try await harness.signIn("eve@example.com", device: .second)
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
            let phone = try await harness.signIn()
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
            #expect(charges.map(\.transactionID) == [transaction.transactionId])
        }
    }

    @Test(
        arguments: [
            ("no.such.product", 1, nil, 5), (ProductID.credits, 0, nil, 3), (.credits, 11, nil, 3), (.credits, -1, nil, 3),
            (.credits, .max, nil, 3), (.book, 2, nil, 3), (.magazine, 2, nil, 3), (.news, 2, nil, 3), (.credits, 1, "not a UUID", 3),
        ] as [(ProductID, Int, CustomerID?, Int)])
    func `an invalid payment is refused with a code and not charged`(
        _ product: ProductID, _ quantity: Int, _ customer: CustomerID?, _ code: Int
    ) async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let payment = PaymentID(UUID())
            guard case .refused(code, _) = try await phone.purchase(product, quantity, payment: payment, customer: customer) else {
                Issue.record("the payment was not refused with \(code)")
                return
            }
            #expect(try await harness.charges().isEmpty)
            #expect(try await phone.unfinished().transactions.isEmpty)
            // A valid payment can reuse the ID of the refused payment.
            _ = try await phone.buy(.credits, payment: payment)
        }
    }

    @Test func `a quantity of ten at the highest price does not overflow`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            #expect(try await phone.buy(.expensive, 10).price == 9_999_999_999_990_000)
        }
    }

    @Test(arguments: [ProductID.filter, .news])
    func `buying an owned product again is free and keeps the original transaction`(_ product: ProductID) async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
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
            #expect(try await harness.notificationTypes().count == 1)
        }
    }

    @Test func `a consumable is charged each time`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.credits)
            let second = try await phone.buy(.credits)
            #expect(second.originalTransactionId == second.transactionId)
            #expect(first.transactionId < second.transactionId)
            #expect(try await harness.charges().count == 2)
        }
    }

    @Test func `an active subscription cannot be bought again`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            _ = try await phone.buy(.magazine)
            guard case .refused(0, _) = try await phone.purchase(.magazine) else {
                Issue.record("the subscription was sold twice")
                return
            }
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func `a downgrade starts at the renewal and is charged once`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let magazine = try await phone.buy(.magazine)
            let payment = PaymentID(UUID())
            #expect(try await phone.buy(.magazineWeekly, payment: payment).transactionId == magazine.transactionId)
            #expect(try await phone.buy(.magazineWeekly, payment: payment).transactionId == magazine.transactionId)
            #expect(try await harness.charges().count == 1)
            try await harness.advance(days: 31)
            #expect(try await harness.charges().map(\.productID) == [.magazine, .magazineWeekly])
            #expect(try await harness.notificationTypes() == ["SUBSCRIBED.INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF.DOWNGRADE", "DID_RENEW"])
        }
    }

    @Test func `an upgrade starts at once, and the unused part of the old period is refunded`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let weekly = try await phone.buy(.magazineWeekly)
            try await harness.advance(days: 3)
            let magazine = try await phone.buy(.magazine)
            #expect(magazine.originalTransactionId == weekly.transactionId)
            #expect(magazine.purchaseDate == Timestamp.testStart.adding(days: 3))
            // 4 of 7 days at 0.99 are unused.
            #expect(try await harness.charges().map(\.amount.milliunits) == [990, -565, 2_990])
            #expect(try await phone.unfinishedTransactions().first?.isUpgraded == true)
            #expect(try await harness.notificationTypes() == ["SUBSCRIBED.INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF.UPGRADE"])
        }
    }

    @Test func `a transaction stays unfinished until the app finishes it, and finishing twice is harmless`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let payment = PaymentID(UUID())
            let transaction = try await phone.buy(.credits, payment: payment)
            #expect(try await phone.unfinished().transactions.map(\.payment) == [payment])
            #expect(try await phone.unfinishedTransactions().map(\.transactionId) == [transaction.transactionId])
            try await phone.finish(transaction.transactionId)
            try await phone.finish(transaction.transactionId)
            #expect(try await phone.unfinished().transactions.isEmpty)
        }
    }

    @Test func `transactions of other accounts can be neither read nor finished`() async throws {
        try await StoreHarness.run { harness in
            let ada = try await harness.signIn()
            let eve = try await harness.signIn("eve@example.com", device: .second)
            let transaction = try await ada.buy(.credits)
            #expect(try await eve.unfinished().transactions.isEmpty)
            let unknown = Refused(status: 404, code: "transaction.unknown")
            await #expect(throws: unknown) { try await eve.finish(transaction.transactionId) }
            await #expect(throws: unknown) { try await eve.finish("1") }
            #expect(try await ada.unfinished().transactions.count == 1)
        }
    }

    @Test func `a purchase is unfinished only on the device that made it`() async throws {
        try await StoreHarness.run { harness in
            let first = try await harness.signIn()
            let second = try await harness.signIn(device: .second)
            _ = try await first.buy(.credits)
            #expect(try await second.unfinished().transactions.isEmpty)
            #expect(try await first.unfinished().transactions.count == 1)
        }
    }
}
