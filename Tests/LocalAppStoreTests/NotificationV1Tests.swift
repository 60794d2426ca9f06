import Foundation
import FoundationExtras
import HTTPTypes
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

@Suite struct NotificationV1Tests {
    private func run(_ body: @escaping @Sendable (StoreHarness, NotificationReceiver) async throws -> Void) async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { url in
            try await StoreHarness.run(secret: "s3cret") { harness in
                var app = AppRequest()
                (app.sandboxURL, app.notificationVersion) = (url, 1)
                _ = try await harness.call(ControlEndpoints.setApp, app, ["bundle": BundleID.test.rawValue])
                try await body(harness, receiver)
            }
        }
    }

    @Test func `version 1 notifications are unsigned and have the shared secret and the unified receipt`() async throws {
        try await run { harness, receiver in
            let magazine = try await harness.signIn().buy(.magazine)
            try await harness.advance(days: 31)
            let sent = try receiver.bodies.map { try WireJSON.decode(NotificationV1.self, from: Data($0.utf8)) }
            #expect(sent.map(\.notificationType) == ["INITIAL_BUY", "DID_RENEW"])
            let renewed = try #require(sent.last)
            #expect(renewed.password == "s3cret" && renewed.bundleID == .test && renewed.environment == "Sandbox")
            #expect(renewed.originalTransactionID == magazine.transactionId && renewed.autoRenewStatus == "true")
            #expect(renewed.autoRenewProductID == .magazine)
            let latestReceiptInfo = renewed.unifiedReceipt.latestReceiptInfo
            #expect(latestReceiptInfo.map(\.originalTransactionID) == [magazine.transactionId, magazine.transactionId])
            #expect(latestReceiptInfo.last?.transactionID == magazine.transactionId)
            #expect(renewed.unifiedReceipt.pendingRenewalInfo.map(\.autoRenewStatus) == ["1"])
            let receipt = try #require(Data(base64Encoded: renewed.unifiedReceipt.latestReceipt))
            let verifier = ReceiptVerifier(roots: harness.store.roots, BundleCheck(.test))
            #expect(try await verifier.verify([UInt8](receipt)).payload.purchases.count == 2)
        }
    }

    @Test func `the unified receipt lists the latest 100 transactions without finished consumables`() async throws {
        try await run { harness, receiver in
            let phone = try await harness.signIn()
            for product in [ProductID.book, .season] { try await phone.finish(try await phone.buy(product).transactionId) }
            try await phone.finish(try await phone.buy(.credits).transactionId)
            let magazine = try await phone.buy(.magazine)
            func latest() throws -> [VerifyReceiptPurchase] {
                let body = try #require(receiver.bodies.last)
                return try WireJSON.decode(NotificationV1.self, from: Data(body.utf8)).unifiedReceipt.latestReceiptInfo
            }
            try await harness.store.deliverNotifications()
            #expect(try latest().map(\.productID) == [.magazine, .season, .book])
            var bought: [TransactionID] = []
            for _ in 0..<98 { bought.append(try await phone.buy(.credits).transactionId) }
            try await harness.advance(days: 29)
            let all = try latest().map(\.transactionID)
            #expect(all.count == 100 && all.last == magazine.transactionId && Array(all[1...98]) == bought.reversed())
        }
    }

    @Test func `in JSON, dates have three members and flags are strings`() async throws {
        try await run { harness, receiver in
            let magazine = try await harness.signIn().buy(.magazine)
            try await harness.perform(SubscriptionRequest(.disableAutoRenew), on: magazine.transactionId)
            let body = try #require(receiver.bodies.last)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
            #expect(object["notification_type"] as? String == "DID_CHANGE_RENEWAL_STATUS")
            #expect(object["auto_renew_status"] as? String == "false")
            #expect(object["auto_renew_status_change_date_ms"] as? String == String(harness.clock.now.milliseconds))
            #expect(object["auto_renew_status_change_date"] as? String == "2025-01-31 12:34:56 Etc/GMT")
            let receipt = try #require(object["unified_receipt"] as? [String: Any])
            #expect(receipt["status"] as? Int == 0 && receipt["environment"] as? String == "Sandbox")
            let pending = try #require(receipt["pending_renewal_info"] as? [[String: Any]])
            #expect(pending.map { $0["auto_renew_status"] as? String } == ["0"])
        }
    }

    @Test func `a notification without a version 1 type is not sent and is stored in version 2`() async throws {
        try await run { harness, receiver in
            _ = try await harness.signIn().buy(.book)
            try await harness.store.deliverNotifications()
            #expect(receiver.bodies.isEmpty)
            #expect(try await harness.notifications().map(\.notification.payload.notificationType) == ["ONE_TIME_CHARGE"])
            let uuid = try #require(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.first).notificationUUID
            let details = try await harness.call(ControlEndpoints.resend, Empty(), ["notification": uuid])
            #expect(details.body == nil && details.version == 1 && details.nextAttempt == nil)
            #expect(receiver.bodies.isEmpty)
        }
    }

    @Test(arguments: [
        (NotificationType.subscribed, NotificationSubtype?.some(.resubscribe), true, [NotificationV1Type.interactiveRenewal]),
        (.didRenew, .billingRecovery, true, [.didRecover]),
        (.didChangeRenewalPreference, .upgrade, true, [.cancel, .interactiveRenewal]),
        (.offerRedeemed, .upgrade, true, [.cancel, .interactiveRenewal]), (.offerRedeemed, nil, true, [.interactiveRenewal]),
        (.didChangeRenewalPreference, .downgrade, true, [.didChangeRenewalPreference]),
        (.didFailToRenew, .gracePeriod, true, [.didFailToRenew]),
        (.refund, nil, true, [.cancel]), (.refund, nil, false, [.refund]), (.revoke, nil, false, [.revoke]),
        (.priceIncrease, .pending, true, [.priceIncreaseConsent]), (.priceIncrease, .accepted, true, []),
        (.consumptionRequest, nil, false, [.consumptionRequest]), (.expired, .voluntary, true, []), (.gracePeriodExpired, nil, true, []),
        (.test, nil, false, []),
    ])
    func `each version 2 notification maps to version 1 types or to none`(
        _ type: NotificationType, _ subtype: NotificationSubtype?, _ isSubscription: Bool, _ names: [NotificationV1Type]
    ) {
        #expect(NotificationV1Type.types(type, subtype, isSubscription: isSubscription) == names)
    }

    /// Events of a subscription, and the version 1 notifications after `INITIAL_BUY`.
    @Test(arguments: [
        ("upgrade", ["CANCEL", "INTERACTIVE_RENEWAL"]), ("refund", ["CANCEL", "DID_CHANGE_RENEWAL_STATUS"]),
        ("refund without auto-renew", ["DID_CHANGE_RENEWAL_STATUS", "CANCEL"]), ("refund of an earlier period", ["DID_RENEW", "CANCEL"]),
        ("downgrade", ["DID_CHANGE_RENEWAL_PREF"]),
    ]) func `version 1 sends the notifications of a replaced and of a refunded period`(_ event: String, _ types: [String]) async throws {
        try await run { harness, receiver in
            let phone = try await harness.signIn()
            let first = try await phone.buy(event == "downgrade" ? .magazine : .magazineWeekly).transactionId
            switch event {
            case "upgrade": _ = try await phone.buy(.magazine)
            case "downgrade": _ = try await phone.purchase(.magazineWeekly)
            case "refund without auto-renew": try await harness.perform(SubscriptionRequest(.disableAutoRenew), on: first)
            case "refund of an earlier period": try await harness.advance(days: 7)
            default: break
            }
            if event.hasPrefix("refund") { try await harness.refund(first) }
            try await harness.store.deliverNotifications()
            let sent = try receiver.bodies.map { try WireJSON.decode(NotificationV1.self, from: Data($0.utf8)) }
            #expect(sent.map(\.notificationType) == ["INITIAL_BUY"] + types)
            let change = sent.last { $0.notificationType == "DID_CHANGE_RENEWAL_STATUS" }
            #expect(change.map { $0.autoRenewStatus == "false" && $0.autoRenewStatusChangeDate != nil } ?? true)
            #expect(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.allSatisfy(\.delivered))
        }
    }
}
