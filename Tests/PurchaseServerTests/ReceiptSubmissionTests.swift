import Foundation
import HTTPTypes
import Logging
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing

@testable import PurchaseServer

@Suite struct ReceiptSubmissionTests {
    @Test func `a receipt is sent to production first, and to the sandbox after status 21007`() async throws {
        try await Shop.open { shop async throws in
            #expect(try await shop.recordReceipt().status == .verified)
            #expect(shop.appStore.requests(to: .production).count == 1)
            #expect(shop.appStore.requests(to: .sandbox).first?.password == "0123456789abcdef0123456789abcdef")
        }
    }

    @Test(arguments: [
        (0, ProofResult.Status.verified, nil),
        (21000, .indeterminate, "proof.indeterminate"),
        (21002, .indeterminate, "proof.indeterminate"),
        (21003, .refused, "proof.refused"),
        (21004, .indeterminate, "proof.indeterminate"),
        (21005, .indeterminate, "proof.indeterminate"),
        (21006, .refused, "proof.refused"),
        (21008, .indeterminate, "proof.indeterminate"),
        (21009, .indeterminate, "proof.indeterminate"),
        (21010, .refused, "proof.refused"),
        (21100, .indeterminate, "proof.indeterminate"),
        (21199, .indeterminate, "proof.indeterminate"),
        (12345, .indeterminate, "proof.indeterminate"),
    ])
    func `after any other status of production, no request is sent to the sandbox`(
        _ status: Int, _ result: ProofResult.Status, _ code: String?
    ) async throws {
        try await Shop.open { shop async throws in
            shop.appStore.set(.production, .status(status))
            let answer = try await shop.recordReceipt()
            #expect(answer.status == result)
            #expect(answer.code == code)
            #expect(shop.appStore.requests(to: .production).count == 1)
            #expect(shop.appStore.requests(to: .sandbox).isEmpty)
        }
    }

    @Test(arguments: [21000, 21004])
    func `an invalid request or shared secret is logged as an error, without the secret and the receipt`(
        _ status: Int
    ) async throws {
        let log = RecordingLog()
        try await Shop.open(logger: log.logger) { shop async throws in
            shop.appStore.set(.production, .status(status))
            try await shop.recordReceipt()
            #expect(log.lines(.error).count == 1 && log.lines(.error)[0].contains("\(status)"))
            #expect(log.lines(.notice).count == 1 && log.lines(.notice)[0].contains("production \(status)"))
            let request = try #require(shop.appStore.requests(to: .production).first)
            for secret in [request.password, request.receiptData] {
                let secret = try #require(secret)
                #expect(!Logger.Level.allCases.flatMap(log.lines).contains { $0.contains(secret) })
            }
        }
    }

    @Test(arguments: [
        (21003, ProofResult.Status.refused), (21002, .indeterminate), (21005, .indeterminate), (21007, .indeterminate),
        (21008, .indeterminate), (21010, .refused),
    ])
    func `the sandbox's status counts like production's and leads to no further request`(
        _ status: Int, _ result: ProofResult.Status
    ) async throws {
        try await Shop.open { shop async throws in
            shop.appStore.set(.sandbox, .status(status))
            #expect(try await shop.recordReceipt().status == result)
            #expect(shop.appStore.requests(to: .production).count == 1)
            #expect(shop.appStore.requests(to: .sandbox).count == 1)
        }
    }

    @Test(arguments: [FakeAppStore.Answer.overloaded, .garbage])
    func `an invalid response of verifyReceipt is indeterminate`(_ answer: FakeAppStore.Answer) async throws {
        for host in FakeAppStore.Host.allCases {
            try await Shop.open { shop async throws in
                shop.appStore.set(host, answer)
                #expect(try await shop.recordReceipt().status == .indeterminate)
            }
        }
    }

    @Test(arguments: ReceiptConfirmation.allCases)
    func `while the App Store is away, the configuration decides about receipts, and other access is unchanged`(
        _ confirmation: ReceiptConfirmation
    ) async throws {
        // Port 1 is reserved, and nothing listens there on a loopback address.
        try await Shop.open(productionURL: "http://127.0.0.1:1", change: Shop.Change { $0.receiptConfirmation = confirmation }) {
            shop async throws in
            try await shop.record(.bookSale)
            let magazine = TransactionPayload.sale(.magazine, .nonConsumable, id: "77")
            let result = try await shop.recordReceipt([magazine])
            #expect(result.status == (confirmation == .hard ? .indeterminate : .verified))
            #expect(try await shop.entitlement(to: .magazine).isActive == (confirmation != .hard))
            // A transaction that is proven locally gives its content, too.
            #expect(try await shop.entitlement(to: .book).isActive)
            #expect(try await shop.downloadToken().status == .ok)
        }
    }

    @Test func `without confirmation, no request is sent`() async throws {
        try await Shop.open(change: Shop.Change { $0.receiptConfirmation = .off }) { shop async throws in
            #expect(try await shop.recordReceipt().status == .verified)
            #expect(shop.appStore.requests(to: .production).isEmpty)
        }
    }

    private static func response(canceling purchase: VerifyReceiptPurchase, inReceipt: Bool = false) -> VerifyReceiptResponse {
        var response = VerifyReceiptResponse(status: .valid)
        if inReceipt {
            response.receipt = VerifyReceiptBody(
                receiptType: "ProductionSandbox", bundleID: .test, applicationVersion: "1.0", inApp: [purchase])
        } else {
            response.latestReceiptInfo = [purchase]
        }
        return response
    }

    private static let canceledBook: VerifyReceiptPurchase = {
        var purchase = VerifyReceiptPurchase(
            quantity: 1, productID: .book, transactionID: "2000000000000002", originalTransactionID: "2000000000000002")
        purchase.cancellationDate = DateTriplet(.testStart)
        return purchase
    }()

    @Test(arguments: [true, false])
    func `a purchase that verifyReceipt reports as canceled is not recorded`(_ inReceipt: Bool) async throws {
        try await Shop.open { shop async throws in
            shop.appStore.set(.sandbox, .response(Self.response(canceling: Self.canceledBook, inReceipt: inReceipt)))
            let result = try await shop.recordReceipt()
            #expect(result.status == .verified && result.purchases.isEmpty)
            #expect(try await shop.entitlement(to: .book).state == .none)
        }
    }

    @Test func `a canceled period gives nothing, and a later period does`() async throws {
        try await Shop.open { shop async throws in
            let end = Timestamp.testStart.adding(days: 30)
            var period = VerifyReceiptPurchase(quantity: 1, productID: .magazine, transactionID: "3000", originalTransactionID: "3000")
            period.expiresDate = DateTriplet(end)
            period.cancellationDate = DateTriplet(.testStart)
            shop.appStore.set(.sandbox, .response(Self.response(canceling: period)))
            let first = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: end)
            #expect(try await shop.recordReceipt([first]).purchases.isEmpty)
            let later = try await shop.recordReceipt([first, first.with { $0.transactionId = "3001" }])
            #expect(later.purchases.map(\.transactionID) == ["3001"])
            #expect(try await shop.entitlement(to: .magazine).isActive)
        }
    }

    /// The App Store states a cancellation date for an upgraded period, too.
    @Test func `an upgraded period is not refunded`() async throws {
        try await Shop.open { shop async throws in
            let end = Timestamp.testStart.adding(days: 30)
            var period = VerifyReceiptPurchase(quantity: 1, productID: .magazine, transactionID: "3000", originalTransactionID: "3000")
            period.expiresDate = DateTriplet(end)
            (period.cancellationDate, period.isUpgraded) = (DateTriplet(.testStart), true)
            shop.appStore.set(.sandbox, .response(Self.response(canceling: period)))
            let upgraded = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: end)
            #expect(try await shop.recordReceipt([upgraded]).purchases.map(\.transactionID) == ["3000"])
        }
    }

    @Test func `the cancellation of the original transaction applies to its restored transactions`() async throws {
        try await Shop.open { shop async throws in
            shop.appStore.set(.sandbox, .response(Self.response(canceling: Self.canceledBook)))
            let restored = TransactionPayload.bookSale.with { $0.transactionId = "2000000000000099" }
            #expect(try await shop.recordReceipt([restored]).purchases.isEmpty)
        }
    }

    @Test func `the unsigned response of verifyReceipt cannot add a purchase`() async throws {
        try await Shop.open { shop async throws in
            let invented = VerifyReceiptPurchase(quantity: 1, productID: .book, transactionID: "5", originalTransactionID: "5")
            var response = VerifyReceiptResponse(status: .valid)
            response.receipt = VerifyReceiptBody(
                receiptType: "ProductionSandbox", bundleID: .test, applicationVersion: "1.0", inApp: [invented])
            response.latestReceiptInfo = [invented]
            shop.appStore.set(.sandbox, .response(response))
            #expect(try await shop.recordReceipt([.creditSale]).purchases.map(\.productID) == [.credits5])
            #expect(try await shop.entitlement(to: .book).state == .none)
        }
    }

    @Test func `a forged or foreign receipt is refused without a request to the store`() async throws {
        try await Shop.open { shop async throws in
            for result in [try await shop.recordReceipt(signer: .other), try await shop.recordReceipt(bundle: "com.example.other")] {
                #expect(result.status == .refused)
                #expect(result.code == "proof.refused")
            }
            #expect(shop.appStore.requests(to: .production).isEmpty)
            #expect(try await shop.server.transactions(limit: 10).isEmpty)
        }
    }

    @Test func `a refund notification overrides a receipt that was issued before`() async throws {
        try await Shop.open { shop async throws in
            _ = try await shop.notify(.about(.bookSale.refunded(), type: "REFUND"))
            try await shop.recordReceipt()
            #expect(try await shop.downloadToken().code == "content.refunded")
        }
    }

    @Test func `a receipt's purchase is stored once and listed`() async throws {
        try await Shop.open { shop async throws in
            for isKnown in [false, true] { #expect(try await shop.recordReceipt().purchases.map(\.isKnown) == [isKnown]) }
            let rows = try await shop.server.transactions(limit: 10)
            #expect(rows.map(\.id) == ["2000000000000002"])
            #expect(rows.first?.state == "owned")
        }
    }

    @Test func `a receipt of a thousand purchases is recorded completely`() async throws {
        try await Shop.open { shop async throws in
            let sales = (1...1_000).map { TransactionPayload.sale(.magazine, .nonConsumable, id: TransactionID("5\($0)")) }
            #expect(try await shop.recordReceipt(sales).purchases.count == 1_000)
            #expect(try await shop.entitlement(to: .magazine).isActive)
        }
    }
}
