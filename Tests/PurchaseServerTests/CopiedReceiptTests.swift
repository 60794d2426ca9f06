import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Synchronization
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of copied receipts of iOS 6, which contain the identifier of the device in clear text.
@Suite struct CopiedReceiptTests {
    private static let device = DeviceID(UUID())
    private static let magazineSale = TransactionPayload.sale(
        .magazine, .autoRenewable, id: "3000", expires: .testStart.adding(days: 30)
    ).with { $0.appAccountToken = nil }
    private static let sales = [
        TransactionPayload.bookSale.with { $0.appAccountToken = nil }, magazineSale,
        TransactionPayload.creditSale.with { $0.appAccountToken = nil },
    ]

    private static func customer(_ shop: Shop) async throws -> CustomerCredentials {
        try await shop.call(ServerEndpoints.createCustomer, CreateCustomerRequest(), by: .app(nil)).value()
    }

    private static func receipt(_ sale: TransactionPayload) throws -> Data {
        let content = TransactionReceiptContent(transaction: sale, appVersion: "1", device: device)
        return Data(try TransactionReceiptIssuer(authority: TestAuthority.shared.authority).issue(content))
    }

    /// Submits a receipt of iOS 6 with the identifier of the device that its text contains.
    private static func submit(_ sale: TransactionPayload, _ shop: Shop, by sender: Shop.Sender) async throws -> SubmittedPurchase {
        let receipt = try receipt(sale)
        let stated = try #require(try UnverifiedTransactionReceipt([UInt8](receipt)).payload.uniqueVendorIdentifier)
        let proof = PurchaseProofInput(transactionReceipt: receipt)
        let reply = try await shop.submit([proof], vendorID: DeviceID(stated), by: sender)
        return try #require(reply.results.first?.purchases.first)
    }

    private static func has(_ sale: TransactionPayload, _ customer: CustomerID, _ shop: Shop) async throws -> Bool {
        if sale.productId == .credits5 { return try await shop.balance(of: customer) == 5 }
        return try await shop.entitlement(to: EntitlementName(sale.productId.rawValue), by: .backend(customer.rawValue)).isActive
    }

    @Test(arguments: sales, TransferPolicy.allCases)
    func `a copy takes no purchase from the customer who submitted the receipt first`(
        _ sale: TransactionPayload, _ policy: TransferPolicy
    ) async throws {
        let change = Shop.Change { app in
            app.transfers = TransferRules(policy: policy)
            // A receipt of iOS 6 states no type.
            app.products[0].type = .consumable
        }
        try await Shop.open(change: change) { shop async throws in
            let (first, second) = (try await Self.customer(shop), try await Self.customer(shop))
            #expect(try await Self.submit(sale, shop, by: .app(first.token)).fulfillment == .complete)
            let copied = try await Self.submit(sale, shop, by: .app(second.token))
            #expect(copied.fulfillment == .otherCustomer && copied.previousCustomer == nil)
            #expect(try await Self.has(sale, first.customer, shop))
            #expect(try await !Self.has(sale, second.customer, shop))
            // The customer submits the receipt again at each launch.
            #expect(try await Self.submit(sale, shop, by: .app(first.token)).fulfillment == .complete)
            // Claims without effect leave no record, so they use up no limit.
            #expect(try await shop.server.storage.read(.test) { try $0.claims(of: sale.originalTransactionId).count } == 1)
        }
    }

    @Test(arguments: sales)
    func `a copy takes no purchase that another customer has proved, or whose token names one`(_ sale: TransactionPayload) async throws {
        try await Shop.open { shop async throws in
            let (first, second) = (try await Self.customer(shop), try await Self.customer(shop))
            let device = UUID()
            try await shop.record(sale.bound(to: device), device: device, by: .app(first.token))
            #expect(try await Self.submit(sale, shop, by: .app(second.token)).fulfillment == .otherCustomer)
            #expect(try await Self.has(sale, first.customer, shop))
            let other = sale.with { ($0.transactionId, $0.originalTransactionId, $0.appAccountToken) = ("9", "9", Shop.customer) }
            try await shop.record(other)
            #expect(try await Self.submit(other, shop, by: .app(second.token)).fulfillment == .otherCustomer)
            #expect(try await !Self.has(sale, second.customer, shop))
        }
    }

    @Test(arguments: sales)
    func `a copy takes no unattributed purchase that anyone submitted before`(_ sale: TransactionPayload) async throws {
        try await Shop.open { shop async throws in
            let (first, second) = (try await Self.customer(shop), try await Self.customer(shop))
            let device = UUID()
            #expect(try await shop.record(sale.bound(to: device), by: .app(first.token)).purchases.first?.fulfillment == .unattributed)
            #expect(try await Self.submit(sale, shop, by: .app(second.token)).fulfillment == .unattributed)
            #expect(try await !Self.has(sale, second.customer, shop))
            // The device proves the same purchase.
            let proven = try await shop.record(sale.bound(to: device), device: device, by: .app(first.token))
            #expect(proven.purchases.first?.fulfillment == .complete)
            #expect(try await Self.has(sale, first.customer, shop))
        }
    }

    @Test func `a purchase that only a notification named belongs to the customer who submits its receipt first`() async throws {
        try await Shop.open { shop async throws in
            let (first, second) = (try await Self.customer(shop), try await Self.customer(shop))
            let sale = Self.magazineSale
            _ = try await shop.notify(.about(sale, type: "SUBSCRIBED"))
            #expect(try await Self.submit(sale, shop, by: .app(first.token)).fulfillment == .complete)
            #expect(try await Self.submit(sale, shop, by: .app(second.token)).fulfillment == .otherCustomer)
            #expect(try await Self.has(sale, first.customer, shop))
        }
    }

    @Test(arguments: [TransferPolicy.transfer, .keep, .share])
    func `a purchase that a copy claimed first moves to the customer who proves it`(_ policy: TransferPolicy) async throws {
        try await Shop.open(change: Shop.Change { $0.transfers = TransferRules(policy: policy) }) { shop async throws in
            let (copier, owner) = (try await Self.customer(shop), try await Self.customer(shop))
            let (sale, device) = (Self.sales[0], UUID())
            _ = try await Self.submit(sale, shop, by: .app(copier.token))
            let proven = try await shop.record(sale.bound(to: device), device: device, by: .app(owner.token))
            #expect(proven.purchases.first?.fulfillment == .complete && proven.purchases.first?.previousCustomer == copier.customer)
            #expect(try await Self.has(sale, owner.customer, shop))
            #expect(try await !Self.has(sale, copier.customer, shop))
        }
    }

    @Test(arguments: [true, false])
    func `a purchase belongs to the customer of its token, in whatever order the receipt arrives`(_ isReceiptFirst: Bool) async throws {
        try await Shop.open { shop async throws in
            let copier = try await Self.customer(shop)
            let sale = TransactionPayload.bookSale
            if isReceiptFirst { _ = try await Self.submit(sale, shop, by: .app(copier.token)) }
            try await shop.record(sale)
            if !isReceiptFirst { _ = try await Self.submit(sale, shop, by: .app(copier.token)) }
            #expect(try await shop.entitlement(to: .book).isActive)
            #expect(try await !Self.has(sale, copier.customer, shop))
            // The records agree with the signed originals and the recorded claims.
            let differences = Mutex<[RebuildDifference]>([])
            _ = try await shop.server.rebuild(.test, isWriting: false) { event in
                if case .difference(let difference) = event { differences.withLock { $0.append(difference) } }
            }
            #expect(differences.withLock { $0 } == [])
        }
    }

    @Test func `a backend attributes the purchase of a receipt to its customer`() async throws {
        try await Shop.open { shop async throws in
            let copier = try await Self.customer(shop)
            _ = try await Self.submit(Self.sales[0], shop, by: .app(copier.token))
            #expect(try await Self.submit(Self.sales[0], shop, by: shop.backend).fulfillment == .complete)
            #expect(try await shop.entitlement(to: .book).isActive)
        }
    }
}
