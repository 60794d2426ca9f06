import Foundation
import FoundationExtras
import HTTPTypes
import HummingbirdTesting
import LocalAppStore
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import PurchaseServer

/// Tests of the server's `verifyReceipt` against the one of a local App Store, after the same events.
@Suite struct LiveReceiptTests {
    @Test func `an old receipt shows renewals, refunds and auto-renewal as the App Store does`() async throws {
        try await VerifyReceiptShop.open { shop in
            let weekly = try await shop.buy(.magazineWeekly)
            let book = try await shop.buy(.book)
            _ = try await shop.buy(.credits)
            let receipt = try await shop.device.receipt()
            let bought = try await shop.expectEqual(receipt)
            #expect(bought.receipt?.inApp.count == 3 && bought.latestReceiptInfo?.count == 3)
            #expect(bought.pendingRenewalInfo?.map(\.autoRenewStatus) == ["1"])
            #expect(bought.latestReceipt == receipt.base64EncodedString())

            try await shop.shop.pass(days: 15)
            let renewed = try await shop.expectEqual(receipt)
            #expect(renewed.latestReceiptInfo?.filter { $0.originalTransactionID == weekly.transactionId }.count == 3)
            #expect(renewed.receipt?.inApp.count == 3)
            let newest = try await shop.expectEqual(receipt, excludesOld: true)
            let period = try #require(newest.latestReceiptInfo?.first { $0.originalTransactionID == weekly.transactionId })
            #expect(newest.latestReceiptInfo?.count == 3 && (period.expiresDate?.timestamp ?? .testStart) > shop.shop.clock.now)

            try await shop.store.perform(SubscriptionRequest(.disableAutoRenew), on: weekly.transactionId)
            #expect(try await shop.expectEqual(receipt).pendingRenewalInfo?.map(\.autoRenewStatus) == ["0"])
            try await shop.store.perform(SubscriptionRequest(.enableAutoRenew), on: weekly.transactionId)
            #expect(try await shop.expectEqual(receipt).pendingRenewalInfo?.map(\.autoRenewStatus) == ["1"])

            try await shop.store.refund(book.transactionId, reason: 1)
            let refunded = try await shop.expectEqual(receipt)
            #expect(refunded.receipt?.inApp.first { $0.productID == .book }?.cancellationReason == "1")
            #expect(refunded.latestReceiptInfo?.first { $0.productID == .book }?.cancellationReason == "1")

            let monthly = try await shop.buy(.magazine)
            let upgraded = try await shop.expectEqual(receipt)
            #expect(upgraded.latestReceiptInfo?.filter(\.isUpgraded).map(\.cancellationReason) == ["0"])
            #expect(upgraded.pendingRenewalInfo?.map(\.autoRenewProductID) == [.magazine])

            try await shop.store.setPaymentMethod(isValid: false)
            try await shop.shop.pass(days: 32)
            #expect(try await shop.expectEqual(receipt).pendingRenewalInfo?.map(\.isInBillingRetryPeriod) == ["1"])
            try await shop.store.setPaymentMethod(isValid: true)
            try await shop.shop.pass(days: 1)
            #expect(try await shop.expectEqual(receipt).pendingRenewalInfo?.first?.expirationIntent == nil)

            try await shop.store.refund(monthly.transactionId)
            _ = try await shop.expectEqual(receipt)
            try await shop.store.perform(SubscriptionRequest(.expire), on: monthly.transactionId)
            #expect(try await shop.expectEqual(receipt).pendingRenewalInfo?.first?.expirationIntent != nil)
        }
    }

    @Test func `a renewal that was charged ahead and replaced before its start is marked as the App Store marks it`() async throws {
        try await VerifyReceiptShop.open { shop in
            let weekly = try await shop.buy(.magazineWeekly)
            let receipt = try await shop.device.receipt()
            try await shop.shop.pass(days: 6, seconds: 3_600)
            try await shop.store.perform(SubscriptionRequest(.chargeAhead), on: weekly.transactionId)
            let charged = try await shop.expectEqual(receipt)
            #expect(charged.latestReceiptInfo?.count == 2)
            let monthly = try await shop.buy(.magazine)
            let upgraded = try await shop.expectEqual(receipt)
            #expect(upgraded.latestReceiptInfo?.count(where: \.isUpgraded) == 1)
            let newest = try await shop.expectEqual(receipt, excludesOld: true)
            #expect(newest.latestReceiptInfo?.map(\.transactionID) == [monthly.transactionId])
        }
    }

    @Test func `later purchases of the same account are in the answer, and restores add nothing`() async throws {
        try await VerifyReceiptShop.open { shop in
            let weekly = try await shop.buy(.magazineWeekly)
            let receipt = try await shop.device.receipt()
            let news = try await shop.buy(.news)
            _ = try await shop.buy(.filter)
            let answer = try await shop.expectEqual(receipt)
            #expect(answer.latestReceiptInfo?.count == 3)
            #expect(answer.latestReceiptInfo?.contains { $0.transactionID == news.transactionId } == true)
            #expect(answer.pendingRenewalInfo?.map(\.originalTransactionID) == [weekly.transactionId])
            try await shop.shop.pass(days: 8)
            _ = try await shop.device.restore()
            try await shop.shop.submitUnfinished()
            #expect(try await shop.expectEqual(receipt).latestReceiptInfo?.count == 4)
        }
    }

    @Test func `a receipt of iOS 6 shows the newest period, and status 21006 after the expiration`() async throws {
        try await VerifyReceiptShop.open { shop in
            let monthly = try await shop.buy(.magazine)
            let book = try await shop.buy(.book)
            func receipt(_ id: TransactionID) async throws -> Data {
                try await shop.device.call(DeviceEndpoints.transactionReceipt, TransactionReceiptRequest(transactionID: id)).receipt
            }
            let (old, lasting) = (try await receipt(monthly.transactionId), try await receipt(book.transactionId))
            #expect(
                try await shop.expectEqual(lasting, VerifyTransactionReceiptResponse.self).receipt["product_id"] == ProductID.book.rawValue)
            try await shop.shop.pass(days: 40)
            let active = try await shop.expectEqual(old, VerifyTransactionReceiptResponse.self)
            #expect(active.status == .valid && active.autoRenewStatus == 1)
            #expect(active.latestReceiptInfo?["transaction_id"] != monthly.transactionId.rawValue)
            try await shop.store.perform(SubscriptionRequest(.expire), on: monthly.transactionId)
            let ended = try await shop.expectEqual(old, VerifyTransactionReceiptResponse.self)
            #expect(ended.status == .subscriptionExpired && ended.latestExpiredReceiptInfo != nil && ended.latestReceiptInfo == nil)
            try await shop.store.refund(book.transactionId)
            #expect(try await shop.expectEqual(lasting, VerifyTransactionReceiptResponse.self).receipt["cancellation_reason"] == "0")
        }
    }

    @Test func `a receipt of iOS 6 that the server does not know needs the App Store, which states its environment`() async throws {
        try await VerifyReceiptShop.open(receivesNotifications: false) { shop in
            let signed = try await shop.device.signedPurchase(.book)
            let id = try await shop.store.payloads([signed])[0].transactionId
            let receipt = try await shop.device.call(DeviceEndpoints.transactionReceipt, TransactionReceiptRequest(transactionID: id))
                .receipt
            let answer: VerifyTransactionReceiptResponse = try await shop.ask(receipt)
            #expect(answer.status == .valid && answer.receipt["transaction_id"] == id.rawValue)
            let fault = Fault(.verifyReceiptOutage)
            _ = try await shop.store.call(ControlEndpoints.setFault, fault)
            let away: VerifyReceiptResponse = try await shop.ask(receipt)
            #expect(away.status == .unavailable && away.isRetryable == true)
        }
    }

    @Test func `inapppy validates receipts at the server after a change of its URL only`() async throws {
        try await VerifyReceiptShop.open { shop in
            let store = shop.store.store
            // The last root is that of signed data.
            let begin = "-----BEGIN CERTIFICATE-----"
            let root = begin + (store.rootsPEM.components(separatedBy: begin).last ?? "")
            let description = [
                "url": shop.store.url.text, "server": "http://127.0.0.1:\(try #require(shop.client.port))",
                "secret": VerifyReceiptShop.secret,
                "apiKey": store.apiKey.privateKeyPEM, "keyID": store.apiKey.keyID, "issuerID": store.apiKey.issuerID,
                "bundleID": BundleID.test.rawValue, "customer": Shop.customer.rawValue, "root": root,
                "appAppleID": "1",
            ]
            let checks = try await PythonCheck.run("server_receipts.py", describing: description)
            #expect(checks.count == 4)
            for check in checks { #expect(check.ok, "\(check.check): \(check.detail ?? "")") }
        }
    }
}

/// A purchase server that answers `verifyReceipt`, and a local App Store that has the same shared secret.
struct VerifyReceiptShop: Sendable {
    static let secret = VerifyReceiptEndpointTests.secret

    let shop: ConnectedShop
    let client: any TestClientProtocol
    var store: StoreHarness { shop.store }
    var device: SignedInDevice { shop.device }

    /// Opens a server that receives the store's notifications.
    static func open(
        receivesNotifications: Bool = true, change: Shop.Change = Shop.Change { _ in }, _ log: RecordingLog = RecordingLog(),
        _ body: @Sendable (VerifyReceiptShop) async throws -> Void
    ) async throws {
        let change = Shop.Change { app in
            app.sharedSecret = secret
            change.body(&app)
        }
        try await ConnectedShop.open(logger: log.logger, secret: secret, change: change) { shop in
            try await shop.server.application(hostname: "127.0.0.1", port: 0) { _ in }.test(.live) { client in
                if receivesNotifications {
                    let port = try #require(client.port)
                    try await shop.store.setNotifications(url: "http://127.0.0.1:\(port)/v1/notifications")
                }
                try await body(VerifyReceiptShop(shop: shop, client: client))
            }
        }
    }

    /// Buys a product for the shop's customer on the device.
    func buy(_ product: ProductID) async throws -> TransactionPayload {
        let transaction = try await shop.buy(product)
        // The store sends its notifications during a request of the control API.
        try await shop.pass(seconds: 1)
        return transaction
    }

    /// Sends a receipt to the server's `verifyReceipt`, and returns the answer.
    func ask<Answer: Decodable>(_ receipt: Data, excludesOld: Bool? = nil) async throws -> Answer {
        try WireJSON.decode(Answer.self, from: try await text(receipt, excludesOld: excludesOld))
    }

    /// Sends a receipt to the server's `verifyReceipt`, and returns the bytes of the answer.
    func text(_ receipt: Data, excludesOld: Bool? = nil) async throws -> Data {
        let body = ByteBuffer(data: try VerifyReceiptEndpointTests.body(receipt, excludesOld: excludesOld))
        return try await client.execute(uri: "/verifyReceipt", method: .post, body: body) { Data(buffer: $0.body) }
    }

    /// Sends a receipt to the store's `verifyReceipt`, and returns the bytes of the answer.
    func textOfStore(_ receipt: Data, excludesOld: Bool? = nil) async throws -> Data {
        let body = ByteBuffer(data: try VerifyReceiptEndpointTests.body(receipt, excludesOld: excludesOld))
        let client = try #require(store.client)
        return try await client.execute(uri: "/sandbox/verifyReceipt", method: .post, body: body) { Data(buffer: $0.body) }
    }

    /// Expects that the answers of the server and the store do not differ, as soon as the server has every notification.
    func expectEqual<Answer: Decodable>(
        _ receipt: Data, _ type: Answer.Type = VerifyReceiptResponse.self, excludesOld: Bool? = nil,
        at place: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        func found() async throws -> VerifyReceiptDifferences {
            let own = JSONReader.read([UInt8](try await text(receipt, excludesOld: excludesOld)))
            let theirs = JSONReader.read([UInt8](try await textOfStore(receipt, excludesOld: excludesOld)))
            return VerifyReceiptDifferences(between: try #require(own), and: try #require(theirs))
        }
        do { try await eventually { try await found().count == 0 } } catch is ConditionNotMet {
            Issue.record("\(try await found().listed)", sourceLocation: place)
        }
        return try await ask(receipt, excludesOld: excludesOld)
    }
}
