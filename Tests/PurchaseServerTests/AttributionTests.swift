import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing

@testable import PurchaseServer

/// Tests of purchases without an `appAccountToken`, and of purchases that another customer proves.
@Suite struct AttributionTests {
    private static let device = UUID()

    private static func anonymous(_ shop: Shop) async throws -> CustomerCredentials {
        try await shop.call(ServerEndpoints.createCustomer, CreateCustomerRequest(), by: .app(nil)).value()
    }

    private static func hasBook(_ customer: CustomerCredentials, _ shop: Shop) async throws -> Bool {
        try await shop.entitlement(to: EntitlementName(ProductID.book.rawValue), by: .app(customer.token)).isActive
    }

    @Test(arguments: [
        TransactionPayload.bookSale.with { $0.appAccountToken = nil },
        .bookSale.with { ($0.appAccountToken, $0.inAppOwnershipType) = (nil, "FAMILY_SHARED") },
        .bookSale.with { ($0.appAccountToken, $0.offerType) = (nil, 3) },
    ])
    func `a purchase without a token belongs to the customer whose device proves it`(_ sale: TransactionPayload) async throws {
        try await Shop.open { shop async throws in
            let customer = try await Self.anonymous(shop)
            // A signed transaction can be copied, so it proves nothing without the device.
            let unproven = try await shop.record(sale.bound(to: Self.device), by: .app(customer.token))
            #expect(unproven.status == .verified && unproven.purchases.first?.fulfillment == .unattributed)
            let foreign = try await shop.record(sale.bound(to: Self.device), device: UUID(), by: .app(customer.token))
            #expect(foreign.purchases.first?.fulfillment == .unattributed)
            #expect(try await !Self.hasBook(customer, shop))
            let proven = try await shop.record(sale.bound(to: Self.device), device: Self.device, by: .app(customer.token))
            #expect(proven.purchases.first?.fulfillment == .complete)
            #expect(try await Self.hasBook(customer, shop))
        }
    }

    @Test func `a receipt is proven by the identifier of its device`() async throws {
        try await Shop.open { shop async throws in
            let customer = try await Self.anonymous(shop)
            let device = DeviceID(UUID())
            let receipt = try TestAuthority.shared.receipts.issue(.sample([.bookSale], device: device))
            for (vendorID, fulfillment) in [(nil, .unattributed), (DeviceID(UUID()), .unattributed), (device, .complete)]
                as [(DeviceID?, SubmittedPurchase.Fulfillment)]
            {
                let reply = try await shop.submit(
                    [PurchaseProofInput(receipt: Data(receipt))], vendorID: vendorID, by: .app(customer.token))
                #expect(reply.results.first?.purchases.first?.fulfillment == fulfillment)
            }
            #expect(try await Self.hasBook(customer, shop))
        }
    }

    @Test func `a backend attributes a purchase to its customer`() async throws {
        try await Shop.open { shop async throws in
            let sale = TransactionPayload.bookSale.with { $0.appAccountToken = nil }
            #expect(try await shop.record(sale, by: .backend("jane")).purchases.first?.fulfillment == .complete)
            #expect(try await shop.entitlement(to: EntitlementName(ProductID.book.rawValue), by: .backend("jane")).isActive)
        }
    }

    @Test(arguments: [
        (TransferPolicy.transfer, SubmittedPurchase.Fulfillment.complete, false, true), (.keep, .otherCustomer, true, false),
        (.share, .complete, true, true),
    ])
    func `the transfer policy decides about a purchase that another customer proves`(
        _ policy: TransferPolicy, _ fulfillment: SubmittedPurchase.Fulfillment, _ firstHas: Bool, _ secondHas: Bool
    ) async throws {
        try await Shop.open(change: Shop.Change { $0.transfers = TransferRules(policy: policy) }) { shop async throws in
            let (first, second) = (try await Self.anonymous(shop), try await Self.anonymous(shop))
            let sale = TransactionPayload.bookSale.with { $0.appAccountToken = first.customer }.bound(to: Self.device)
            try await shop.record(sale, by: .app(first.token))
            let claimed = try #require(try await shop.record(sale, device: Self.device, by: .app(second.token)).purchases.first)
            #expect(claimed.fulfillment == fulfillment)
            #expect(claimed.previousCustomer == (policy == .keep ? nil : first.customer))
            #expect(try await Self.hasBook(first, shop) == firstHas)
            #expect(try await Self.hasBook(second, shop) == secondHas)
            // A refund ends the entitlement of everyone who has it.
            _ = try await shop.notify(.about(sale.refunded(), type: "REFUND"))
            #expect(try await !Self.hasBook(first, shop))
            #expect(try await !Self.hasBook(second, shop))
        }
    }

    @Test func `without a proof, a purchase stays with the customer of its token`() async throws {
        try await Shop.open { shop async throws in
            let second = try await Self.anonymous(shop)
            let result = try await shop.record(.bookSale, by: .app(second.token))
            #expect(result.purchases.first?.fulfillment == .otherCustomer)
            #expect(try await shop.entitlement(to: .book).isActive)
            #expect(try await !Self.hasBook(second, shop))
        }
    }

    @Test func `a consumable stays with the customer who received its credits`() async throws {
        try await Shop.open { shop async throws in
            let second = try await Self.anonymous(shop)
            try await shop.record(.creditSale)
            let result = try await shop.record(.creditSale.bound(to: Self.device), device: Self.device, by: .app(second.token))
            #expect(result.purchases.first?.fulfillment == .otherCustomer && result.purchases.first?.credits == 0)
            #expect(try await shop.balance() == 5)
            #expect(try await shop.balance(of: second.customer) == 0)
        }
    }

    @Test func `a purchase that moves too often stays where it is until the period is over`() async throws {
        try await Shop.open(change: Shop.Change { $0.transfers = TransferRules(limit: 2, periodDays: 10) }) { shop async throws in
            let customers = [try await Self.anonymous(shop), try await Self.anonymous(shop)]
            let sale = TransactionPayload.bookSale.bound(to: Self.device)
            func claim(_ index: Int) async throws -> SubmittedPurchase.Fulfillment? {
                try await shop.record(sale, device: Self.device, by: .app(customers[index].token)).purchases.first?.fulfillment
            }
            try await shop.record(sale)
            #expect(try await claim(0) == .complete)
            #expect(try await claim(1) == .complete)
            #expect(try await claim(0) == .transferLimit)
            #expect(try await Self.hasBook(customers[1], shop))
            // A repeated proof by the present customer is no transfer.
            #expect(try await claim(1) == .complete)
            shop.clock.advance(seconds: 10 * 86_400)
            #expect(try await claim(0) == .complete)
        }
    }

    @Test func `a proven purchase does not move back with a later token`() async throws {
        try await Shop.open { shop async throws in
            let second = try await Self.anonymous(shop)
            let end = Timestamp.testStart.adding(days: 30)
            let first = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: end)
            try await shop.record(first)
            try await shop.record(first.bound(to: Self.device), device: Self.device, by: .app(second.token))
            let renewal = first.with {
                ($0.transactionId, $0.purchaseDate, $0.signedDate, $0.expiresDate) = ("3001", end, end, end.adding(days: 30))
            }
            _ = try await shop.notify(.about(renewal, type: "DID_RENEW"))
            shop.clock.set(end.adding(days: 1))
            let magazine = EntitlementName(ProductID.magazine.rawValue)
            #expect(try await shop.entitlement(to: magazine, by: .app(second.token)).isActive)
            #expect(try await !shop.entitlement(to: magazine).isActive)
        }
    }
}
