import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the decisions about a purchase's customer and credits.
@Suite struct PurchaseRecorderTests {
    private static let customer = Shop.customer
    private static let app: BundleID = .test

    private let storage: SQLitePurchaseStorage

    init() throws {
        storage = try SQLitePurchaseStorage(.memory)
    }

    private func recorder(_ policy: RefundPolicy = .debt) -> PurchaseRecorder {
        PurchaseRecorder(
            catalog: ProductCatalog([ServerProduct(id: .credits5, credits: 5), ServerProduct(id: .magazine, credits: 10)]),
            refundPolicy: policy,
            transfers: TransferRules(),
            clock: ManualClock())
    }

    @discardableResult
    private func record(
        _ payload: TransactionPayload, source: String = "app", policy: RefundPolicy = .debt, claim: PurchaseRecorder.Claim? = nil
    ) async throws -> PurchaseRecorder.Recorded {
        let signed: SignedTransaction = try TestAuthority.shared.signedData.sign(payload)
        let event = try #require(VerifiedEvent(try await TestAuthority.shared.verifier().verify(signed), source: source))
        let recorder = recorder(policy)
        return try await storage.write(Self.app) { try recorder.record(event, claim: claim, in: $0) }
    }

    private func balance(of customer: CustomerID = customer) async throws -> Int64 {
        try await storage.read(Self.app) { try $0.balance(of: customer, in: .credits).amount }
    }

    @discardableResult
    private func debit(_ amount: Int64, key: String, from customer: CustomerID) async throws -> Int64 {
        let ledger = LedgerService(app: Self.app, storage: storage, clock: ManualClock())
        return try await ledger.debit(DebitRequest(idempotencyKey: key, amount: amount), from: .id(customer)).balance
    }

    private func expectZeroTotals() async throws {
        let totals = try await storage.read(Self.app) { try $0.accountTotals() }
        for (currency, accounts) in totals { #expect(accounts.values.reduce(0, +) == 0, "\(currency)") }
    }

    private static let reversed = TransactionPayload.creditSale.with { $0.signedDate = $0.signedDate.adding(seconds: 200) }

    @Test func `a charge adds its credits once, however often its transaction is signed and recorded`() async throws {
        #expect(try await !record(.creditSale).isKnown)
        #expect(try await record(.creditSale).isKnown)
        #expect(try await record(.creditSale.with { $0.signedDate = $0.signedDate.adding(seconds: 1) }).isKnown)
        try await record(.creditSale, source: "ONE_TIME_CHARGE")
        #expect(try await balance() == 5)
        try await expectZeroTotals()
    }

    @Test func `a notification alone adds the credits`() async throws {
        try await record(.creditSale, source: "ONE_TIME_CHARGE")
        #expect(try await balance() == 5)
    }

    @Test func `an unattributed purchase adds its credits to the customer who claims it first`() async throws {
        let sale = TransactionPayload.creditSale.with { $0.appAccountToken = nil }
        let unattributed = try await record(sale)
        #expect(unattributed.purchase.customer == nil && unattributed.credit == nil)
        let claim = PurchaseRecorder.Claim(customer: Self.customer, attribution: .deviceVerification)
        #expect(try await record(sale, claim: claim).purchase.customer == Self.customer)
        #expect(try await balance() == 5)
        let other = CustomerID(UUID())
        let second = try await record(sale, claim: PurchaseRecorder.Claim(customer: other, attribution: .deviceVerification))
        #expect(second.purchase.customer == Self.customer && second.claim == .refused(owner: Self.customer))
        #expect(try await balance(of: other) == 0)
    }

    @Test func `a refund that arrives before the purchase leaves no credits`() async throws {
        try await record(.creditSale.refunded(), source: "REFUND")
        try await record(.creditSale)
        #expect(try await balance() == 0)
        try await expectZeroTotals()
    }

    @Test func `a subscription that is claimed after the refund of its first period adds the credits of its other periods only`()
        async throws
    {
        func period(_ number: Int64) -> TransactionPayload {
            .sale(.magazine, .autoRenewable, id: TransactionID("40\(number)"), expires: .testStart.adding(days: 30 * (number + 1))).with {
                ($0.originalTransactionId, $0.appAccountToken, $0.webOrderLineItemId) = ("400", nil, "9\(number)")
                ($0.purchaseDate, $0.signedDate) = (.testStart.adding(days: 30 * number), .testStart.adding(days: 30 * number))
            }
        }
        for payload in [period(0), period(1)] { try await record(payload, source: "DID_RENEW") }
        try await record(period(0).refunded(after: 40 * 86_400), source: "REFUND")
        let claim = PurchaseRecorder.Claim(customer: Self.customer, attribution: .deviceVerification)
        #expect(try await record(period(2), claim: claim).purchase.customer == Self.customer)
        #expect(try await balance() == 20)
        try await expectZeroTotals()
    }

    /// Records a purchase of a receipt that states no product type, with a catalog that states one.
    private func recordReceipt(_ payload: TransactionPayload, _ type: ProductType?) async throws -> PurchaseRecorder.Recorded {
        let bytes = try TestAuthority.shared.receipts.issue(.sample([payload]))
        let receipt = try await ReceiptVerifier(roots: try TestAuthority.shared.roots, BundleCheck(.test)).verify(bytes)
        var event = VerifiedEvent(try #require(receipt.payload.purchases.first), in: receipt)
        event.event.transaction.type = nil
        let recorder = PurchaseRecorder(
            catalog: ProductCatalog([ServerProduct(id: .credits5, type: type, credits: 5)]), refundPolicy: .debt,
            transfers: TransferRules(),
            clock: ManualClock(), finishing: .consumables)
        let claim = PurchaseRecorder.Claim(customer: Self.customer, attribution: .backend)
        return try await storage.write(Self.app) { [event] in try recorder.record(event, claim: claim, in: $0) }
    }

    @Test func `a purchase of a receipt adds the credits that follow from the catalog's type, and a receipt with its refund revokes them`()
        async throws
    {
        #expect(try await recordReceipt(.creditSale, nil).credit == nil)
        #expect(try await balance() == 0)
        // The operator states the type, and the app sends the receipt again.
        #expect(try await recordReceipt(.creditSale, .consumable).credit?.credits == 5)
        #expect(try await recordReceipt(.creditSale, .consumable).isKnown)
        #expect(try await balance() == 5)
        #expect(try await recordReceipt(.creditSale.refunded(), .consumable).credit?.revoked == 5)
        #expect(try await balance() == 0)
        // The signed transaction of the same charge adds nothing.
        try await record(.creditSale)
        #expect(try await balance() == 0)
        try await expectZeroTotals()
    }

    @Test func `a family member's receipt that does not state the ownership adds no credits`() async throws {
        let shared = TransactionPayload.creditSale.with { $0.inAppOwnershipType = "FAMILY_SHARED" }
        #expect(try await record(shared, claim: .init(customer: Self.customer, attribution: .deviceVerification)).credit == nil)
        let copy = TransactionPayload.creditSale.with { $0.inAppOwnershipType = nil }
        #expect(try await recordReceipt(copy, .consumable).credit == nil)
        #expect(try await balance() == 0)
    }

    @Test func `a receipt whose purchase was refunded before adds no credits`() async throws {
        _ = try await recordReceipt(.creditSale.refunded(), .consumable)
        #expect(try await balance() == 0)
    }

    @Test func `a receipt that was refunded before its product had a type adds no credits, whichever copy of it is sent later`()
        async throws
    {
        #expect(try await recordReceipt(.creditSale.refunded(), nil).credit == nil)
        // The operator states the type, and the app sends a copy from before the refund.
        _ = try await recordReceipt(.creditSale, .consumable)
        #expect(try await balance() == 0)
        _ = try await recordReceipt(.creditSale.refunded(), .consumable)
        _ = try await recordReceipt(.creditSale, .consumable)
        #expect(try await balance() == 0)
        try await expectZeroTotals()
        // The App Store reverses the refund.
        try await record(Self.reversed)
        #expect(try await balance() == 5)
        try await expectZeroTotals()
    }

    @Test func `of a receipt's subscription, each period adds its credits, and of a non-consumable, the original purchase`() async throws {
        let period = TransactionPayload.creditSale.with {
            ($0.transactionId, $0.originalTransactionId, $0.webOrderLineItemId) = ("2", "1", "91")
        }
        #expect(try await recordReceipt(period, .nonConsumable).credit == nil)
        #expect(try await recordReceipt(period, .autoRenewable).credit?.credits == 5)
        let next = period.with { ($0.transactionId, $0.webOrderLineItemId) = ("3", "92") }
        #expect(try await recordReceipt(next, .autoRenewable).credit?.credits == 5)
        #expect(try await balance() == 10)
    }

    @Test(arguments: [
        (RefundPolicy.floor, 0, 2, true), (.debt, -3, 2, true), (.freeze, -3, 2, false),
    ])
    func `a refund of spent credits follows the policy, and its reversal undoes it`(
        _ policy: RefundPolicy, _ refunded: Int64, _ reversed: Int64, _ canDebit: Bool
    ) async throws {
        try await record(.creditSale, policy: policy)
        #expect(try await debit(3, key: "a", from: Self.customer) == 2)
        try await record(.creditSale.refunded(), source: "REFUND", policy: policy)
        #expect(try await balance() == refunded)
        try await record(Self.reversed, source: "REFUND_REVERSED", policy: policy)
        #expect(try await balance() == reversed)
        if canDebit {
            #expect(try await debit(1, key: "b", from: Self.customer) == 1)
        } else {
            await #expect(throws: LedgerRefusal.frozen) { try await debit(1, key: "b", from: Self.customer) }
        }
        try await expectZeroTotals()
    }

    @Test(arguments: RefundPolicy.allCases)
    func `refunds and reversals without end keep the ledger at zero`(_ policy: RefundPolicy) async throws {
        try await record(.creditSale, policy: policy)
        for round in 1...4 {
            let seconds = Int64(round * 1_000)
            try await record(
                .creditSale.refunded().with { $0.signedDate = $0.signedDate.adding(seconds: seconds) }, source: "REFUND", policy: policy)
            #expect(try await balance() == 0)
            try await record(
                .creditSale.with { $0.signedDate = $0.signedDate.adding(seconds: seconds + 500) }, source: "REFUND_REVERSED",
                policy: policy)
            #expect(try await balance() == 5)
        }
        try await expectZeroTotals()
    }

    @Test func `a debit is made once and never exceeds the balance`() async throws {
        await #expect(throws: LedgerRefusal.insufficient(balance: 0)) { try await debit(1, key: "a", from: Self.customer) }
        try await record(.creditSale)
        #expect(try await debit(3, key: "a", from: Self.customer) == 2)
        #expect(try await debit(3, key: "a", from: Self.customer) == 2)
        await #expect(throws: LedgerRefusal.insufficient(balance: 2)) { try await debit(3, key: "b", from: Self.customer) }
        await #expect(throws: LedgerRefusal.keyReused) { try await debit(2, key: "a", from: Self.customer) }
        #expect(try await debit(2, key: "c", from: Self.customer) == 0)
        #expect(try await debit(3, key: "a", from: Self.customer) == 2)
        try await expectZeroTotals()
    }

    @Test func `of 200 concurrent debits of the last credit, one succeeds`() async throws {
        try await record(.creditSale)
        _ = try await debit(4, key: "first", from: Self.customer)
        let successes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask { (try? await debit(1, key: "\(number)", from: Self.customer)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(successes == 1)
        #expect(try await balance() == 0)
    }

    @Test func `two customers may use the same idempotency key`() async throws {
        let other = CustomerID(UUID())
        try await record(.creditSale)
        try await record(
            .creditSale.with {
                ($0.transactionId, $0.originalTransactionId, $0.appAccountToken) = ("7", "7", other)
            })
        #expect(try await debit(1, key: "a", from: Self.customer) == 4)
        #expect(try await debit(2, key: "a", from: other) == 3)
    }

    @Test func `the appAccountToken of the latest period names the customer`() async throws {
        let second = CustomerID(UUID())
        func period(_ number: Int64, _ token: CustomerID?) -> TransactionPayload {
            .sale(.magazine, .autoRenewable, id: TransactionID("40\(number)"), expires: .testStart.adding(days: 30 * (number + 1))).with {
                ($0.originalTransactionId, $0.appAccountToken) = ("400", token)
            }
        }
        #expect(try await record(period(2, second)).purchase.customer == second)
        #expect(try await record(period(1, Self.customer)).purchase.customer == second)
        #expect(try await record(period(3, nil)).purchase.customer == second)
    }

    @Test func `after an upgrade to a shorter period, the appAccountToken of the new period names the customer`() async throws {
        let second = CustomerID(UUID())
        let year = TransactionPayload.sale(.magazine, .autoRenewable, id: "500", expires: .testStart.adding(days: 365))
        let month = year.with {
            ($0.transactionId, $0.appAccountToken) = ("501", second)
            ($0.purchaseDate, $0.signedDate) = (.testStart.adding(days: 10), .testStart.adding(days: 10))
            $0.expiresDate = .testStart.adding(days: 40)
        }
        for payload in [year, month, year] { try await record(payload) }
        let purchase = try await record(month).purchase
        #expect(purchase.customer == second)
        #expect(purchase.entitlement.state == .active(until: .testStart.adding(days: 40)))
    }
}
