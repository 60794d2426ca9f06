import Foundation
import FoundationExtras
import HTTPTypes
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreTestSupport
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of version 1 notifications, which are not signed.
@Suite struct UnsignedNotificationTests {
    private static let secret = "0123456789abcdef0123456789abcdef"

    /// Returns the body of a notification whose only evidence is a receipt.
    private static func body(
        _ receipt: String, secret: String? = secret, bundle: BundleID = .test, purchase: TransactionID = "2000000000000002"
    ) throws -> Data {
        let unified = UnifiedReceipt(environment: .sandbox, latestReceipt: receipt, latestReceiptInfo: [], pendingRenewalInfo: [])
        return try WireJSON.encode(
            NotificationV1(
                .didRenew, environment: .sandbox, password: secret, bundleID: bundle, bundleVersion: "1", originalTransactionID: purchase,
                unifiedReceipt: unified))
    }

    private static func receipt(_ authority: TestAuthority = .shared) throws -> String {
        Data(try authority.receipts.issue(.sample([.bookSale]))).base64EncodedString()
    }

    @Test func `a store that sends version 1 is received, and the purchase is looked up with its signed data`() async throws {
        try await ConnectedShop.open(secret: Self.secret) { shop in
            try await shop.receivingNotifications(version: 1) {
                try await shop.buyInStore(.magazine)
                let stored = try await shop.app.storage.read(.test) { try $0.latestNotifications(limit: 10) }
                #expect(stored.map(\.kind) == ["V1 INITIAL_BUY"])
                #expect(stored.allSatisfy { $0.signedNotification == nil && $0.hasTransaction && $0.uuid.hasPrefix("v1:") })
                // A receipt names no customer.
                #expect(try await shop.server.transactions(limit: 10).map(\.owner) == [""])
                #expect(try await shop.reconcile().lookedUp == 1)
                #expect(try await shop.entitlement(to: .magazine).isActive)
                // A renewal that the store announces by version 1.
                try await shop.pass(days: 32)
                #expect(try await shop.entitlement(to: .magazine).isActive)
                #expect(try await shop.server.notifications(limit: 10).count == 2)
            }
        }
    }

    @Test func `a repeated notification is recognized by its body`() async throws {
        try await Shop.open { shop async throws in
            let body = try Self.body(Self.receipt())
            for _ in 1...3 { #expect(try await shop.post("/v1/notifications", body).status == .ok) }
            #expect(shop.appStore.requests(to: .sandbox).count == 1)
            #expect(try await shop.server.notifications(limit: 10).map(\.kind) == ["V1 DID_RENEW"])
            let due = try await shop.server.storage.read(.test) { try $0.lookups(dueAt: Timestamp(milliseconds: .max), limit: 9) }
            #expect(due == [PurchaseLookup(purchase: "2000000000000002", dueAt: shop.clock.now)])
        }
    }

    @Test func `what is not in the receipt is not believed`() async throws {
        try await Shop.open { shop async throws in
            #expect(try await shop.post("/v1/notifications", Self.body(Self.receipt(), purchase: "666")).status == .ok)
            let (forged, due) = try await shop.server.storage.read(.test) { records in
                (try records.purchase("666"), try records.lookups(dueAt: Timestamp(milliseconds: .max), limit: 9))
            }
            // The named purchase is looked up at once, and the one in the receipt after a week, because it can be refunded.
            #expect(forged == nil && due.map(\.purchase) == ["666", "2000000000000002"])
            #expect(due.map(\.dueAt) == [shop.clock.now, shop.clock.now.adding(days: 7)])
        }
    }

    private static let refusals: [(secret: String?, bundle: BundleID, receipt: String?, authority: TestAuthority)] = [
        (nil, .test, nil, .shared), ("", .test, nil, .shared), ("0123456789abcdef0123456789abcdeg", .test, nil, .shared),
        (secret, "com.example.other", nil, .shared), (secret, .test, "%", .shared), (secret, .test, "AAAA", .shared),
        (secret, .test, nil, .other),
    ]

    @Test(arguments: refusals.indices)
    func `a notification with a wrong secret, another app or a receipt that is not authentic is refused`(_ index: Int) async throws {
        let (secret, bundle, receipt, authority) = Self.refusals[index]
        try await Shop.open { shop async throws in
            let body = try Self.body(receipt ?? Self.receipt(authority), secret: secret, bundle: bundle)
            #expect(try await shop.post("/v1/notifications", body).code == "notification.refused")
            #expect(try await shop.server.transactions(limit: 10).isEmpty)
            #expect(try await shop.server.notifications(limit: 10).isEmpty)
            let head = try #require(try await shop.refusedNotifications().first).head
            #expect(!String(decoding: head, as: UTF8.self).contains(Self.secret))
        }
    }

    @Test func `a notification whose receipt can't be verified now is sent again later`() async throws {
        try await Shop.open { shop async throws in
            shop.appStore.set(.production, .overloaded)
            let body = try Self.body(Self.receipt())
            #expect(try await shop.post("/v1/notifications", body).status == .serviceUnavailable)
            #expect(try await shop.refusedNotifications().isEmpty)
            shop.appStore.set(.production, .status(21007))
            #expect(try await shop.post("/v1/notifications", body).status == .ok)
            #expect(try await shop.server.transactions(limit: 10).count == 1)
        }
    }

    @Test func `a notification about a purchase that the server does not know leads to a look-up of the purchase`() async throws {
        try await ConnectedShop.open(secret: Self.secret, change: Shop.Change { $0.sharedSecret = Self.secret }) { shop in
            for product: ProductID in [.book, .magazine] {
                let signed = try await shop.device.signedPurchase(product, customer: Shop.customer)
                let purchase = try await shop.store.payloads([signed])[0].originalTransactionId
                try await shop.pass(seconds: 7_200)
                try await shop.skipHistory()
                let body = Data(
                    #"{"notification_type":"REFUND","password":"\#(Self.secret)","original_transaction_id":"\#(purchase)"}"#.utf8)
                _ = try await shop.app.notifications.accept(body, .silent)
                let report = try await shop.reconcile()
                #expect(report.lookedUp == 1 && report.recordedEvents >= 1, "\(report)")
                #expect(try await shop.entitlement(to: product).isActive)
            }
            let body = Data(#"{"notification_type":"REFUND","password":"\#(Self.secret)","original_transaction_id":"666"}"#.utf8)
            _ = try await shop.app.notifications.accept(body, .silent)
            #expect(try await shop.reconcile().outcome == .complete)
            #expect(try await shop.reconcile().lookedUp == 0)
        }
    }

    @Test(arguments: ["", "\u{1B}[31mred", "two words", String(repeating: "A", count: 101)])
    func `a notification whose type is not a name is refused`(_ type: String) async throws {
        try await Shop.open { shop async throws in
            let body = try JSONSerialization.data(withJSONObject: ["notification_type": type, "password": Self.secret])
            #expect(try await shop.post("/v1/notifications", body).status == .badRequest)
            #expect(try await shop.server.notifications(limit: 10).isEmpty)
        }
    }

    @Test func `an app without a shared secret needs none in its notifications`() async throws {
        try await Shop.open(change: Shop.Change { $0.sharedSecret = nil }) { shop async throws in
            let receipt = try Self.receipt()
            #expect(try await shop.post("/v1/notifications", Self.body(receipt, secret: nil)).status == .ok)
            // Other notifications with the same receipt are invented, or repeat what is known.
            for purchase: TransactionID in ["1", "2"] {
                #expect(try await shop.post("/v1/notifications", Self.body(receipt, secret: nil, purchase: purchase)).status == .ok)
            }
            let bare = Data(#"{"notification_type":"CANCEL","original_transaction_id":"2000000000000002"}"#.utf8)
            #expect(try await shop.post("/v1/notifications", bare).code == "notification.refused")
            #expect(try await shop.server.notifications(limit: 10).count == 1)
        }
    }
}
