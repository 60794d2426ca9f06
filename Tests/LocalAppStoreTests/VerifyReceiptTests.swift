import Foundation
import FoundationExtras
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct VerifyReceiptTests {
    private func post(_ harness: StoreHarness, at address: String = "sandbox", body: String) async throws -> String {
        let response = try await harness.send(.post, "/\(address)/verifyReceipt", [:], ByteBuffer(string: body))
        #expect(response.status == .ok)
        #expect(response.headers[.contentType]?.hasPrefix("application/json") == true)
        return String(buffer: response.body)
    }

    private func post(
        _ harness: StoreHarness, _ receipt: Data, at address: String = "sandbox", password: String? = nil,
        excludingOldTransactions: Bool? = nil
    ) async throws -> VerifyReceiptResponse {
        let request = VerifyReceiptRequest(
            receiptData: receipt.base64EncodedString(), password: password, excludeOldTransactions: excludingOldTransactions
        )
        let body = try await post(harness, at: address, body: String(decoding: try WireJSON.encode(request), as: UTF8.self))
        return try WireJSON.decode(VerifyReceiptResponse.self, from: Data(body.utf8))
    }

    @Test(arguments: [
        (Refusal.Reason.malformed, VerifyReceiptStatus.malformed),
        (.tooLarge(limit: 1), .malformed),
        (.algorithm("MD5"), .malformed),
        (.signature, .notAuthenticated),
        (.untrustedRoot, .notAuthenticated),
        (.chain, .notAuthenticated),
        (.marker, .notAuthenticated),
        (.validity, .notAuthenticated),
        (.revoked, .notAuthenticated),
        (.foreignBundle("com.example.other"), .notAuthenticated),
        (.foreignEnvironment("Sandbox"), .testReceiptAtProduction),
        (.foreignEnvironment("Production"), .productionReceiptAtTest),
        (.foreignEnvironment("Xcode"), .malformed),
    ])
    func `each refusal maps to the App Store's status`(_ reason: Refusal.Reason, _ status: VerifyReceiptStatus) {
        #expect(VerifyReceiptStatus(VerificationFailure.refused(reason, at: "somewhere")) == status)
    }

    @Test func `production refers sandbox receipts to the sandbox and returns only the status`() async throws {
        try await StoreHarness.run { harness in
            let request = VerifyReceiptRequest(receiptData: try await harness.signIn().receipt().base64EncodedString())
            let body = String(decoding: try WireJSON.encode(request), as: UTF8.self)
            #expect(try await post(harness, at: "production", body: body) == #"{"status":21007}"#)
            #expect(try await post(harness, at: "sandbox", body: body).contains(#""status":0"#))
        }
    }

    @Test(arguments: [
        "", "not json", "[]", "{}", "null", #"{"receipt-data":7}"#, #"{"receipt-data":""}"#, #"{"receipt-data":"%%%"}"#,
        #"{"receipt-data":"AAAA"}"#, #"{"receipt-data":"MIIB\nAAAA"}"#, #"{"receipt-data":"MIAGCSqGSIb3DQEHAqCAMIACAQE="}"#,
        String(repeating: "[", count: 5_000),
    ])
    func `an unreadable body has the status of malformed data`(_ body: String) async throws {
        try await StoreHarness.run { harness in
            let answer = try await post(harness, body: body)
            #expect(answer == #"{"status":21002}"#)
        }
    }

    @Test func `a body over the size limit has the status of malformed data`() async throws {
        try await StoreHarness.run { harness in
            let body = #"{"receipt-data":""# + String(repeating: "A", count: 9 << 20) + #""}"#
            let answer = try await post(harness, body: body)
            #expect(answer == #"{"status":21002}"#)
        }
    }

    @Test func `a receipt signed by another root is not authenticated`() async throws {
        try await StoreHarness.run { harness in
            let forged = Data(try TestAuthority.other.receipts.issue(.sample()))
            #expect(try await post(harness, forged) == VerifyReceiptResponse(status: .notAuthenticated))
            #expect(try await post(harness, forged, at: "production") == VerifyReceiptResponse(status: .notAuthenticated))
        }
    }

    @Test func `the shared secret must match if the app has one`() async throws {
        try await StoreHarness.run(secret: "0123456789abcdef") { harness in
            let receipt = try await harness.signIn().receipt()
            for wrong in [nil, "", "0123456789abcdeF"] {
                let answer = try await post(harness, receipt, password: wrong)
                #expect(answer.status == .secretMismatch)
                #expect(answer.receipt == nil)
            }
            #expect(try await post(harness, receipt, password: "0123456789abcdef").status == .valid)
        }
    }

    @Test func `a receipt with transactions of another store has an unknown account`() async throws {
        try await StoreHarness.run { harness in
            let authority = try await harness.store.context.read { db in
                let archive = try StoreSettings.authority.value(db)
                return try CertificateAuthority(archive: try #require(archive))
            }
            let receipt = Data(try ReceiptIssuer(authority: authority).issue(.sample()))
            #expect(try await post(harness, receipt) == .unknownAccount(.sandbox))
        }
    }

    @Test func `the response has the current state of the ledger`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let credits = try await phone.buy(.credits)
            let book = try await phone.buy(.book)
            let magazine = try await phone.buy(.magazine)
            let receipt = try await phone.receipt()
            try await phone.finish(credits.transactionId)
            try await harness.refund(book.transactionId)
            try await harness.advance(days: 60)

            let answer = try await post(harness, receipt)
            #expect(answer.environment == "Sandbox")
            let body = try #require(answer.receipt)
            #expect(body.bundleID == .test)
            #expect(body.requestDate?.timestamp == Timestamp.testStart.adding(days: 60))
            #expect(body.receiptCreationDate?.timestamp == .testStart)
            #expect(Set(body.inApp.map(\.transactionID)) == [credits.transactionId, book.transactionId, magazine.transactionId])
            #expect(body.inApp.first { $0.productID == .book }?.cancellationDate?.timestamp == .testStart)
            #expect(body.inApp.first { $0.productID == .book }?.cancellationReason == "0")
            let latest = try #require(answer.latestReceiptInfo)
            try #require(latest.map(\.productID) == [.magazine, .magazine, .magazine, .book])
            #expect(latest[2].transactionID == magazine.transactionId)
            #expect(latest.map(\.subscriptionGroupIdentifier) == ["21A2B3C4", "21A2B3C4", "21A2B3C4", nil])
            #expect(answer.pendingRenewalInfo?.map(\.autoRenewStatus) == ["1"])
            #expect(try await post(harness, receipt, excludingOldTransactions: true).latestReceiptInfo == [latest[0], latest[3]])

            let fresh = try #require(answer.latestReceipt.flatMap { Data(base64Encoded: $0) })
            let verifier = ReceiptVerifier(roots: harness.store.roots, DeviceHashCheck(phone.device), BundleCheck(.test))
            let payload = try await verifier.verify([UInt8](fresh)).payload
            #expect(payload.creationDate == Timestamp.testStart.adding(days: 60))
            #expect(payload.purchases.count == 4)
        }
    }

    @Test func `latest_receipt_info omits finished consumables and requires an app with auto-renewable subscriptions`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let receipt = try await phone.receipt()
            let finished = try await phone.buy(.credits)
            try await phone.finish(finished.transactionId)
            var bought: [TransactionPayload] = []
            for product in [ProductID.book, .season, .magazine, .news, .credits] { bought.append(try await phone.buy(product)) }
            for payload in bought.dropLast() { try await phone.finish(payload.transactionId) }
            _ = try await phone.restore()
            let answer = try await post(harness, try await phone.receipt())
            #expect(answer.latestReceiptInfo?.map(\.transactionID) == bought.reversed().map(\.transactionId))
            #expect(answer.latestReceiptInfo?.map { $0.expiresDate != nil } == [false, false, true, false, false])
            #expect(answer.pendingRenewalInfo?.count == 1)
            #expect(try await post(harness, receipt).latestReceiptInfo == [])
        }
        let once = #"{ "products" : [ { "productID" : "\#(ProductID.book)", "type" : "NonConsumable", "displayPrice" : "4.99" } ] }"#
        try await StoreHarness.run(storekit: once) { harness in
            let phone = try await harness.signIn()
            _ = try await phone.buy(.book)
            let answer = try await post(harness, try await phone.receipt())
            #expect(answer.receipt?.inApp.count == 1)
            #expect(answer.latestReceiptInfo == nil && answer.latestReceipt == nil && answer.pendingRenewalInfo == nil)
        }
    }

    @Test func `a subscription that expired with auto-renew disabled is not in billing retry`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let magazine = try await phone.buy(.magazine)
            let receipt = try await phone.receipt()
            try await harness.perform(SubscriptionRequest(.disableAutoRenew), on: magazine.transactionId)
            #expect(try await post(harness, receipt).pendingRenewalInfo?.first?.isInBillingRetryPeriod == nil)
            try await harness.advance(days: 29)
            let ended = try #require(try await post(harness, receipt).pendingRenewalInfo?.first)
            #expect(ended.expirationIntent == "1" && ended.isInBillingRetryPeriod == "0")
            let status = try await harness.onlyStatus(magazine.transactionId)
            let signed = try await harness.verifier.verify(status.signedRenewalInfo).payload
            #expect(signed.expirationIntent == 1 && signed.isInBillingRetryPeriod == false)
            let request = TransactionReceiptRequest(transactionID: magazine.transactionId)
            let old = try await phone.call(DeviceEndpoints.transactionReceipt, request).receipt
            let flat = try await harness.verifyReceipt(old, VerifyTransactionReceiptResponse.self)
            #expect(flat.expirationIntent == "1" && flat.isInBillingRetryPeriod == "0")
        }
    }

    @Test func `only production has download IDs and version external identifiers`() async throws {
        try await StoreHarness.run { harness in
            let sandbox = try #require(try await post(harness, try await harness.signIn().receipt()).receipt)
            #expect(sandbox.downloadID == 0 && sandbox.versionExternalIdentifier == 0)
            try await harness.set("ada@example.com") { $0.environment = .production }
            func body(_ phone: SignedInDevice) async throws -> VerifyReceiptBody {
                let answer = try await post(harness, try await phone.receipt(), at: "production")
                #expect(answer.environment == "Production")
                return try #require(answer.receipt)
            }
            let first = try await body(try await harness.signIn())
            let (download, version) = (try #require(first.downloadID), try #require(first.versionExternalIdentifier))
            #expect(String(download).count == 18 && String(version).count == 9)
            let again = try await body(try await harness.signIn())
            #expect(again.downloadID == download && again.versionExternalIdentifier == version)
            let updated = try await body(try await harness.signIn(version: "1.1"))
            #expect(updated.downloadID == download && updated.versionExternalIdentifier != version)
            let elsewhere = try await body(try await harness.signIn(device: .second))
            #expect(elsewhere.downloadID != download && elsewhere.versionExternalIdentifier == version)
        }
    }

    @Test func `a failed renewal is in pending_renewal_info`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let magazine = try await phone.buy(.magazine)
            let receipt = try await phone.receipt()
            try await harness.setPaymentMethod(isValid: false)
            try await harness.advance(days: 29)
            let grace = try #require(try await post(harness, receipt).pendingRenewalInfo?.first)
            #expect(grace.isInBillingRetryPeriod == "1")
            #expect(grace.gracePeriodExpiresDate?.timestamp == magazine.expiresDate?.adding(days: 16))
            #expect(grace.expirationIntent == nil)
            try await harness.advance(days: 70)
            let expired = try #require(try await post(harness, receipt).pendingRenewalInfo?.first)
            #expect(expired.isInBillingRetryPeriod == "0")
            #expect(expired.expirationIntent == "2")
            #expect(expired.autoRenewStatus == "0")
        }
    }

    @Test func `numbers and dates have the App Store's types and formats`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            _ = try await phone.buy(.magazine)
            let request = VerifyReceiptRequest(receiptData: try await phone.receipt().base64EncodedString())
            let text = try await post(harness, body: String(decoding: try WireJSON.encode(request), as: UTF8.self))
            for part in [
                #""status":0"#, #""environment":"Sandbox""#, #""receipt_type":"ProductionSandbox""#, #""adam_id":0"#,
                #""download_id":0"#, #""original_application_version":"1.0""#, #""quantity":"1""#, #""is_trial_period":"false""#,
                #""is_in_intro_offer_period":"false""#, #""transaction_id":"2000000000000001""#,
                #""web_order_line_item_id":"3000000000000001""#, #""in_app_ownership_type":"PURCHASED""#,
                #""purchase_date":"2025-01-31 12:34:56 Etc/GMT""#, #""purchase_date_ms":"1738326896000""#,
                #""purchase_date_pst":"2025-01-31 04:34:56 America/Los_Angeles""#,
                #""expires_date":"2025-02-28 12:34:56 Etc/GMT""#,
                #""original_purchase_date":"2013-08-01 07:00:00 Etc/GMT""#, #""auto_renew_status":"1""#,
                #""auto_renew_product_id":"com.example.monkeyshop.magazine""#,
            ] {
                #expect(text.contains(part), "\(part) is missing")
            }
        }
    }

    @Test func `an empty receipt is valid and equals latest_receipt`() async throws {
        try await StoreHarness.run { harness in
            let receipt = try await harness.signIn().receipt()
            let answer = try await post(harness, receipt)
            #expect(answer.status == .valid)
            #expect(answer.receipt?.inApp.isEmpty == true)
            #expect(answer.latestReceiptInfo?.isEmpty == true)
            #expect(answer.latestReceipt == receipt.base64EncodedString())
        }
    }
}
