import Foundation
import HummingbirdTesting
import LocalAppStore
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import StoreProtocol
import StoreTestSupport
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer

/// Tests of a server without a key of the App Store Server API, to which no notification of a renewal comes.
@Suite struct StaleReceiptTests {
    private static let secret = VerifyReceiptEndpointTests.secret
    private static let withoutKey = Shop.Change { app in
        (app.appStoreServerAPI, app.sharedSecret, app.receiptConfirmation) = (nil, secret, .soft)
    }

    private static func appReceipt(_ shop: ConnectedShop) async throws -> Data {
        try await shop.device.call(DeviceEndpoints.receipt, ReceiptRequest(appVersion: "1.0")).receipt
    }

    private static func transactionReceipt(_ id: TransactionID, _ shop: ConnectedShop) async throws -> Data {
        try await shop.device.call(DeviceEndpoints.transactionReceipt, TransactionReceiptRequest(transactionID: id)).receipt
    }

    @Test(arguments: [true, false])
    func `an old receipt shows the running period that Apple's answer contains`(_ isTransactionReceipt: Bool) async throws {
        try await ConnectedShop.open(secret: Self.secret, change: Self.withoutKey) { shop in
            let signed = try await shop.device.signedPurchase(.magazine, customer: nil)
            let first = try await shop.store.payloads([signed])[0]
            let receipt =
                isTransactionReceipt ? try await Self.transactionReceipt(first.transactionId, shop) : try await Self.appReceipt(shop)
            let proof = PurchaseProofInput(
                receipt: isTransactionReceipt ? nil : receipt, transactionReceipt: isTransactionReceipt ? receipt : nil)
            let request = SubmitPurchasesRequest(proofs: [proof])
            func submit() async throws -> [SubmittedPurchase] {
                try #require(try await shop.app.purchases.submit(request, for: .id(Shop.customer), isBackend: true).results.first).purchases
            }
            #expect(try await submit().map(\.transactionID) == [first.transactionId])
            #expect(try await shop.entitlement(to: .magazine).isActive)
            try await shop.pass(days: 40)
            #expect(try await !shop.entitlement(to: .magazine).isActive)
            // The app submits the old receipt again.
            let renewed = try await submit()
            #expect(renewed.count == 2 && renewed.allSatisfy { $0.originalTransactionID == first.originalTransactionId })
            #expect(try await shop.entitlement(to: .magazine).isActive)
            // The signed receipt of the answer is evidence, so a rebuild has the same result.
            let report = try #require(try await shop.server.rebuild(.test, isWriting: false) { _ in })
            #expect(report.isConsistent && report.differences == 0, "\(report)")
            try await shop.store.perform(SubscriptionRequest(.expire), on: first.transactionId)
            try await shop.pass(days: 60)
            _ = try await submit()
            #expect(try await !shop.entitlement(to: .magazine).isActive)
        }
    }

    @Test func `verifyReceipt asks Apple about an old receipt of iOS 6, too`() async throws {
        try await VerifyReceiptShop.open(receivesNotifications: false, change: Self.withoutKey) { shop in
            let monthly = try await shop.buy(.magazine)
            let receipt = try await Self.transactionReceipt(monthly.transactionId, shop.shop)
            try await shop.shop.pass(days: 40)
            let answer: VerifyTransactionReceiptResponse = try await shop.ask(receipt)
            #expect(answer.status == .valid && answer.latestReceiptInfo?["original_transaction_id"] == monthly.transactionId.rawValue)
        }
    }

    private static let monthly = TransactionPayload.sale(
        .magazine, .autoRenewable, id: "3000", expires: .testStart.adding(days: -1)
    ).with { $0.purchaseDate = .testStart.adding(days: -31) }
    private static let renewed = monthly.with {
        ($0.transactionId, $0.purchaseDate, $0.expiresDate) = ("3001", .testStart.adding(days: -1), .testStart.adding(days: 29))
    }

    /// Submits a receipt with ``monthly`` while Apple answers with a newest receipt.
    private static func submit(
        isTransactionReceipt: Bool, answer latest: [UInt8], info: String = "[]", _ shop: Shop
    ) async throws -> [TransactionID] {
        let text = Data(latest).base64EncodedString()
        shop.appStore.set(.sandbox, .json(#"{"status":0,"latest_receipt":"\#(text)","latest_receipt_info":\#(info)}"#))
        let content = TransactionReceiptContent(transaction: monthly, appVersion: "1", device: .test)
        let old =
            isTransactionReceipt
            ? try TransactionReceiptIssuer(authority: TestAuthority.shared.authority).issue(content)
            : try TestAuthority.shared.receipts.issue(.sample([monthly]))
        let proof = PurchaseProofInput(
            receipt: isTransactionReceipt ? nil : Data(old), transactionReceipt: isTransactionReceipt ? Data(old) : nil)
        let result = try #require(try await shop.submit([proof], by: shop.backend).results.first)
        #expect(result.status == .verified, "\(result)")
        return result.purchases.map(\.transactionID)
    }

    @Test(arguments: ["{}", "[]"])
    func `the answer to a receipt of iOS 6 counts with an object and with an array`(_ info: String) async throws {
        try await Shop.open { shop async throws in
            let receipts = TestAuthority.shared.receipts
            let latest = try receipts.issue(.sample([Self.monthly, Self.renewed]))
            #expect(try await Self.submit(isTransactionReceipt: true, answer: latest, info: info, shop) == ["3000", "3001"])
            #expect(try await shop.entitlement(to: .magazine).isActive)
        }
    }

    @Test func `the newest receipt of an answer must be authentic, and adds no other purchase`() async throws {
        let issuer = TestAuthority.shared.receipts
        let answers = [
            try TestAuthority.other.receipts.issue(.sample([Self.renewed])),
            try issuer.issue(.sample([Self.renewed], bundle: "com.example.other")),
            try issuer.issue(.sample([.bookSale])), Array("hello".utf8), [],
        ]
        for (answer, isTransactionReceipt) in answers.flatMap({ [($0, true), ($0, false)] }) {
            try await Shop.open { shop async throws in
                let found = try await Self.submit(isTransactionReceipt: isTransactionReceipt, answer: answer, shop)
                #expect(found == ["3000"])
                #expect(try await !shop.entitlement(to: .magazine).isActive)
                #expect(try await !shop.entitlement(to: .book).isActive)
            }
        }
    }
}
