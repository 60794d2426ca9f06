import Foundation
import FoundationExtras
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

/// Tests of `verifyReceipt` with receipts of single transactions, in the format of iOS 6.
@Suite struct VerifyTransactionReceiptTests {
    private typealias Answer = VerifyTransactionReceiptResponse

    private func receipt(of transaction: TransactionID, _ phone: SignedInDevice) async throws -> Data {
        let request = TransactionReceiptRequest(transactionID: transaction)
        return try await phone.call(DeviceEndpoints.transactionReceipt, request).receipt
    }

    @Test func `the receipt of a consumable is a flat object of strings`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let bought = try await phone.buy(.credits, 3)
            let answer = try await harness.verifyReceipt(try await receipt(of: bought.transactionId, phone), Answer.self)
            #expect(answer.status == .valid)
            #expect(answer.receipt["transaction_id"] == bought.transactionId.rawValue)
            #expect(answer.receipt["quantity"] == "3")
            #expect(answer.receipt["bid"] == BundleID.test.rawValue)
            #expect(answer.receipt["purchase_date_ms"] == String(bought.purchaseDate.milliseconds))
            #expect(answer.latestReceipt == nil)
            #expect(answer.autoRenewStatus == nil)
        }
    }

    @Test func `the receipt of a subscription yields the newest period, and status 21006 after expiration`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let bought = try await phone.buy(.magazine)
            let receipt = try await receipt(of: bought.transactionId, phone)
            try await harness.advance(days: 40)
            let active = try await harness.verifyReceipt(receipt, Answer.self)
            #expect(active.status == .valid)
            #expect(active.autoRenewStatus == 1)
            let newest = try #require(active.latestReceiptInfo)
            #expect(newest["original_transaction_id"] == bought.transactionId.rawValue)
            #expect(newest["transaction_id"] != bought.transactionId.rawValue)
            let latest = try #require(active.latestReceipt.flatMap { Data(base64Encoded: $0) })
            #expect(try await harness.verifyReceipt(latest, Answer.self).receipt == newest)

            try await harness.perform(SubscriptionRequest(.expire), on: bought.transactionId)
            let ended = try await harness.verifyReceipt(receipt, Answer.self)
            #expect(ended.status == .subscriptionExpired)
            #expect(ended.autoRenewStatus == 0)
            #expect(ended.receipt["product_id"] == ProductID.magazine.rawValue)
            #expect(ended.latestExpiredReceiptInfo?["original_transaction_id"] == bought.transactionId.rawValue)
            #expect(ended.latestReceiptInfo == nil)
        }
    }

    @Test func `each environment refuses the receipts of the other environment`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let sandbox = try await receipt(of: try await phone.buy(.book).transactionId, phone)
            #expect(try await harness.verifyReceiptText(sandbox, at: "production") == #"{"status":21007}"#)
            try await harness.set("ada@example.com") { $0.environment = .production }
            _ = try await phone.signedPurchase(.credits)
            let id = try #require(try await harness.charges().last).transactionID
            let production = try await receipt(of: id, phone)
            #expect(try await harness.verifyReceiptText(production, at: "sandbox") == #"{"status":21008}"#)
            let answerForProduction = try await harness.verifyReceipt(production, at: "production", Answer.self)
            #expect(answerForProduction.status == .valid)
            // Only production has identifiers of apps and versions.
            #expect(
                answerForProduction.receipt["app_item_id"] == "1234567890"
                    && answerForProduction.receipt["version_external_identifier"]?.count == 9)
            let tested = try await harness.verifyReceipt(sandbox, Answer.self).receipt
            #expect(tested["app_item_id"] == "0" && tested["version_external_identifier"] == "0")
        }
    }

    @Test func `a changed receipt is not authenticated, and a truncated receipt is malformed`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let receipt = try await receipt(of: try await phone.buy(.credits).transactionId, phone)
            let text = String(decoding: receipt, as: UTF8.self)
            let info = try #require(text.firstMatch(of: #/"purchase-info" = "([^"]+)"/#)?.output.1)
            let inner = String(decoding: try #require(Data(base64Encoded: String(info))), as: UTF8.self)
            let forged = text.replacing(info, with: Data(inner.replacing("credits5", with: "credits9").utf8).base64EncodedString())
            #expect(forged != text)
            #expect(try await harness.verifyReceiptText(Data(forged.utf8)) == #"{"status":21003}"#)
            for truncated in [receipt.prefix(1), receipt.prefix(40), receipt.dropLast(200)] {
                #expect(try await harness.verifyReceiptText(Data(truncated)) == #"{"status":21002}"#)
            }
        }
    }

    @Test func `the shared secret must match, and base64 may have line breaks`() async throws {
        try await StoreHarness.run(secret: "0123456789abcdef") { harness in
            let phone = try await harness.signIn()
            let receipt = try await receipt(of: try await phone.buy(.credits).transactionId, phone)
            #expect(try await harness.verifyReceipt(receipt).status == .secretMismatch)
            let lines = receipt.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            let request = VerifyReceiptRequest(receiptData: lines, password: "0123456789abcdef", excludeOldTransactions: nil)
            let response = try await harness.send(.post, "/sandbox/verifyReceipt", [:], ByteBuffer(data: try WireJSON.encode(request)))
            #expect(try WireJSON.decode(Answer.self, from: Data(buffer: response.body)).status == .valid)
        }
    }
}
