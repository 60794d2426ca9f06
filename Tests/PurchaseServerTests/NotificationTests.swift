import Foundation
import HTTPTypes
import Logging
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing

@testable import PurchaseServer

@Suite struct NotificationTests {
    private static let start = Timestamp.testStart
    private static let period: Int64 = 30

    /// Returns notifications of a subscription: purchase, billing issue, recovery in the grace period, auto-renew disabled.
    private static func subscriptionNotifications() throws -> [NotificationPayload] {
        let first = TransactionPayload.sale(.magazine, .autoRenewable, id: "4000", expires: start.adding(days: period))
        let failure = start.adding(days: period)
        var failing = RenewalInfoPayload.sample(original: "4000", date: failure)
        failing.isInBillingRetryPeriod = true
        failing.gracePeriodExpiresDate = failure.adding(days: 16)
        let recovery = failure.adding(days: 3)
        let second = first.with {
            $0.transactionId = "4001"
            $0.purchaseDate = recovery
            $0.expiresDate = recovery.adding(days: period)
            $0.signedDate = recovery
        }
        var recovered = RenewalInfoPayload.sample(original: "4000", date: recovery)
        recovered.renewalDate = second.expiresDate
        var off = RenewalInfoPayload.sample(original: "4000", autoRenewStatus: 0, date: recovery.adding(days: 1))
        off.renewalDate = second.expiresDate
        return try [
            .about(first, .sample(original: "4000", date: start), type: "SUBSCRIBED", uuid: "u1"),
            .about(first.with { $0.signedDate = failure }, failing, type: "DID_FAIL_TO_RENEW", uuid: "u2"),
            .about(second, recovered, type: "DID_RENEW", uuid: "u3"),
            .about(second.with { $0.signedDate = off.signedDate }, off, type: "DID_CHANGE_RENEWAL_STATUS", uuid: "u4"),
        ]
    }

    static let permutations: [[Int]] = (0..<256).map { [$0 & 3, $0 >> 2 & 3, $0 >> 4 & 3, $0 >> 6 & 3] }.filter { Set($0).count == 4 }

    @Test(arguments: permutations)
    func `the order of notifications does not change access`(_ order: [Int]) async throws {
        try await Shop.open { shop async throws in
            let subscriptionNotifications = try Self.subscriptionNotifications()
            shop.clock.set(Self.start.adding(days: 40))
            // Each notification is sent twice, the second time after all others.
            for index in order + order.reversed() {
                #expect(try await shop.notify(subscriptionNotifications[index]).status == .ok)
            }
            let entitlement = try await shop.entitlement(to: .magazine)
            let until = Self.start.adding(days: Self.period + 3 + Self.period)
            #expect(entitlement.isActive)
            #expect(entitlement.state == .active)
            #expect(entitlement.until == until)
            #expect(entitlement.reason.hasPrefix("DID_CHANGE_RENEWAL_STATUS"))
            #expect(try await shop.server.notifications(limit: 10).count == 4)
        }
    }

    @Test(arguments: [
        (1, 10, true, Access.State.active), (1, 31, false, .expired), (2, 31, true, .gracePeriod), (2, 46, false, .billingRetry),
        (3, 40, true, .active), (3, 64, false, .expired), (4, 40, true, .active),
    ])
    func `access follows the notifications of a subscription`(_ known: Int, _ day: Int64, _ granted: Bool, _ state: Access.State)
        async throws
    {
        try await Shop.open { shop async throws in
            for notification in try Self.subscriptionNotifications().prefix(known) {
                _ = try await shop.notify(notification)
            }
            shop.clock.set(Self.start.adding(days: day))
            let entitlement = try await shop.entitlement(to: .magazine)
            #expect(entitlement.isActive == granted)
            #expect(entitlement.state == state)
        }
    }

    @Test func `a refund revokes access and credits once`() async throws {
        try await Shop.open { shop async throws in
            _ = try await shop.record(.creditSale)
            _ = try await shop.record(
                .creditSale.with {
                    $0.transactionId = "9"
                    $0.originalTransactionId = "9"
                })
            _ = try await shop.record(.bookSale)
            #expect(try await shop.entitlement(to: .book).state == .owned)
            for _ in 1...2 {
                _ = try await shop.notify(.about(.creditSale.refunded(), type: "REFUND", uuid: "r1"))
                _ = try await shop.notify(.about(.bookSale.refunded(), type: "REFUND", uuid: "r2"))
            }
            #expect(try await shop.balance() == 5)
            #expect(try await shop.entitlement(to: .book).state == .revoked)
            #expect(try await shop.entitlement(to: .book).isActive == false)
            #expect(try await shop.record(.creditSale).status == .verified)
            #expect(try await shop.balance() == 5)
        }
    }

    @Test func `a refund of one purchase does not revoke another of the same product`() async throws {
        try await Shop.open { shop async throws in
            _ = try await shop.notify(.about(.bookSale.refunded(), type: "REFUND"))
            _ = try await shop.record(
                .bookSale.with {
                    $0.transactionId = "77"
                    $0.originalTransactionId = "77"
                })
            #expect(try await shop.entitlement(to: .book).state == .owned)
        }
    }

    @Test func `a refund of the original transaction revokes its restored transactions`() async throws {
        try await Shop.open { shop async throws in
            _ = try await shop.record(.bookSale)
            _ = try await shop.record(
                .bookSale.with {
                    $0.transactionId = "78"
                    $0.purchaseDate = $0.purchaseDate.adding(days: 2)
                    $0.signedDate = $0.purchaseDate
                }
            )
            _ = try await shop.notify(.about(.bookSale.refunded(), type: "REFUND"))
            #expect(try await shop.entitlement(to: .book).state == .revoked)
        }
    }

    @Test(arguments: ["TEST", "SOMETHING_OF_2031"]) func `a notification without a known subject is stored`(_ type: String) async throws {
        try await Shop.open { shop async throws in
            #expect(try await shop.notify(.sample(type: type, uuid: "t")).status == .ok)
            #expect(try await shop.server.notifications(limit: 10).map(\.state) == ["stored"])
        }
    }

    @Test func `a notification with an untrusted signature is refused, also for nested data`() async throws {
        let log = RecordingLog()
        try await Shop.open(logger: log.logger) { shop async throws in
            let good = try NotificationPayload.about(.bookSale, type: "ONE_TIME_CHARGE")
            let forgedInside = try NotificationPayload.about(.bookSale, type: "ONE_TIME_CHARGE", by: .other)
            let foreign = NotificationPayload.sample(bundle: "com.example.other")
            let production = NotificationPayload.sample(environment: .production)
            for answer in [
                try await shop.notify(good, by: .other), try await shop.notify(forgedInside), try await shop.notify(foreign),
                try await shop.notify(production),
            ] {
                #expect(answer.status == .unprocessableContent)
                #expect(answer.code == "notification.refused")
            }
            #expect(log.lines(.info).filter { $0.hasPrefix("notification refused") }.count == 4)
            #expect(log.lines(.info).contains { $0.contains("com.example.other") })
            #expect(try await shop.server.notifications(limit: 10).isEmpty)
            #expect(try await shop.entitlement(to: .book).state == .none)
        }
    }

    @Test func `a notification with a mismatched transaction and renewal info is refused`() async throws {
        try await Shop.open { shop async throws in
            let first = TransactionPayload.sale(.magazine, .autoRenewable, id: "1", expires: Self.start.adding(days: 1))
            let answer = try await shop.notify(.about(first, .sample(original: "2"), type: "DID_RENEW"))
            #expect(answer.code == "notification.refused")
        }
    }
}
