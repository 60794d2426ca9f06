import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

@Suite struct TriggerTests {
    /// Every documented pair of notification type and subtype, with `-` for no subtype.
    static let pairs = """
        SUBSCRIBED INITIAL_BUY|SUBSCRIBED RESUBSCRIBE|DID_RENEW -|DID_RENEW BILLING_RECOVERY|DID_CHANGE_RENEWAL_PREF UPGRADE|
        DID_CHANGE_RENEWAL_PREF DOWNGRADE|DID_CHANGE_RENEWAL_PREF -|DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_ENABLED|
        DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED|OFFER_REDEEMED -|OFFER_REDEEMED UPGRADE|OFFER_REDEEMED DOWNGRADE|
        DID_FAIL_TO_RENEW -|DID_FAIL_TO_RENEW GRACE_PERIOD|GRACE_PERIOD_EXPIRED -|EXPIRED VOLUNTARY|EXPIRED BILLING_RETRY|
        EXPIRED PRICE_INCREASE|EXPIRED PRODUCT_NOT_FOR_SALE|EXPIRED -|PRICE_INCREASE PENDING|PRICE_INCREASE ACCEPTED|REFUND -|
        REFUND_DECLINED -|REFUND_REVERSED -|CONSUMPTION_REQUEST -|REVOKE -|ONE_TIME_CHARGE -|RENEWAL_EXTENDED -|
        RENEWAL_EXTENSION SUMMARY|RENEWAL_EXTENSION FAILURE|EXTERNAL_PURCHASE_TOKEN UNREPORTED|EXTERNAL_PURCHASE_TOKEN CREATED|
        EXTERNAL_PURCHASE_TOKEN ACTIVE_TOKEN_REMINDER|RESCIND_CONSENT -|TEST -|METADATA_UPDATE -|MIGRATION -|PRICE_CHANGE -
        """.split(separator: "|").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }

    @Test func `the trigger scenarios cover exactly the documented pairs`() {
        #expect(Set(TriggerScenario.allPairs.map { "\($0.type.rawValue) \($0.subtype?.rawValue ?? "-")" }) == Set(Self.pairs))
        #expect(Self.pairs.count == 39)
    }

    @Test(arguments: pairs, [true, false])
    func `every notification type can be triggered and verified, and its transaction is in the store`(_ pair: String, sells: Bool)
        async throws
    {
        let storekit = sells ? TestCatalog.storekit : #"{"version":{"major":4,"minor":0}}"#
        let words = pair.split(separator: " ").map(String.init)
        try await StoreHarness.run { harness in
            var app = AppRequest()
            app.storekit = JSONText(Data(storekit.utf8))
            _ = try await harness.call(ControlEndpoints.setApp, app, ["bundle": BundleID.test.rawValue])
            let request = TriggerRequest(type: words[0], subtype: words[1] == "-" ? nil : words[1])
            let reply = try await harness.call(ControlEndpoints.trigger, request)
            let all = try await harness.notifications()
            let found = try #require(all.last { $0.notification.payload.notificationUUID == reply.notificationUUID })
            let payload = found.notification.payload
            #expect(payload.notificationType == words[0] && payload.subtype ?? "-" == words[1])
            #expect(all.allSatisfy { $0.notification.payload.signedDate <= harness.clock.now })
            guard let inner = found.transaction?.payload else {
                #expect(["TEST", "RENEWAL_EXTENSION", "EXTERNAL_PURCHASE_TOKEN", "RESCIND_CONSENT"].contains(words[0]))
                return
            }
            let account = try #require(reply.account)
            let history = try await harness.call(ControlEndpoints.transactions, Empty(), ["account": account.rawValue]).signedTransactions
            let known = try await history.asyncMap { try await harness.verifier.verify($0).payload.transactionId }
            #expect(known.contains(inner.transactionId))
            #expect(inner.purchaseDate <= harness.clock.now)
            // No further event is due at the current time.
            try await harness.store.storeServices.dueEvents.catchUp()
            #expect(try await harness.notifications().count == all.count)
        }
    }

    @Test func `a triggered renewal notifies of the purchase and of the renewal, in order`() async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { url in
            try await StoreHarness.run { harness in
                try await harness.store.setNotificationURL(url)
                let request = TriggerRequest(type: "DID_RENEW", account: "eve@example.com", productID: .magazineWeekly)
                let reply = try await harness.call(ControlEndpoints.trigger, request)
                #expect(reply.account == "eve@example.com")
                let notifications = try await receiver.received.asyncMap { try await harness.verifier.verify($0) }
                #expect(notifications.map(\.notification.payload.notificationType) == ["SUBSCRIBED", "DID_RENEW"])
                #expect(notifications.last?.transaction?.payload.productId == .magazineWeekly)
                #expect(notifications.last?.transaction?.payload.purchaseDate == harness.clock.now)
                #expect(try await harness.charges(of: "eve@example.com").count == 2)
            }
        }
    }

    @Test func `an unknown or inapplicable trigger is refused`() async throws {
        try await StoreHarness.run { harness in
            for request in [
                TriggerRequest(type: "NOTHING"), TriggerRequest(type: "DID_RENEW", subtype: "SUMMARY"),
                TriggerRequest(type: "DID_RENEW", subtype: "NOTHING"), TriggerRequest(type: "EXTERNAL_PURCHASE_TOKEN"),
            ] {
                await #expect(throws: Refused(status: 400, code: "notifications.kind-unknown")) {
                    try await harness.call(ControlEndpoints.trigger, request)
                }
            }
            await #expect(throws: Refused(status: 409, code: "notifications.trigger-not-applicable")) {
                try await harness.call(ControlEndpoints.trigger, TriggerRequest(type: "DID_RENEW", productID: .book))
            }
            _ = try await harness.signIn().buy(.magazine)
            await #expect(throws: Refused(status: 409, code: "notifications.trigger-not-applicable")) {
                try await harness.call(ControlEndpoints.trigger, TriggerRequest(type: "DID_RENEW", account: "ada@example.com"))
            }
        }
    }

    @Test(arguments: ["DOWNGRADE", "UPGRADE"])
    func `a subscription at the greatest level can be upgraded and downgraded`(_ subtype: String) async throws {
        let storekit = TestCatalog.storekit.replacing(#""groupNumber" : 1,"#, with: #""groupNumber" : 9223372036854775807,"#)
            .replacing(#""groupNumber" : 2,"#, with: #""groupNumber" : 9223372036854775807,"#)
        try await StoreHarness.run(storekit: storekit) { harness in
            let request = TriggerRequest(type: "DID_CHANGE_RENEWAL_PREF", subtype: subtype, productID: .magazine)
            _ = try await harness.call(ControlEndpoints.trigger, request)
            #expect(try await harness.notificationTypes().contains("DID_CHANGE_RENEWAL_PREF.\(subtype)"))
        }
    }
}
