import Foundation
import GRDB
import HTTPTypes
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

@Suite struct NotificationTests {
    @Test func `a notification to a failing server is sent again an hour later with the same bytes`() async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { url in
            try await StoreHarness.run { harness in
                try await harness.store.setNotificationURL(url)
                receiver.answer(.serviceUnavailable)
                let book = try await harness.signIn().buy(.book)
                try await harness.store.deliverNotifications()
                try await harness.store.deliverNotifications()
                #expect(receiver.received.count == 1)
                var delivery = try #require(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.first)
                #expect(!delivery.delivered)
                #expect(delivery.attempts == 1)

                receiver.answer(.ok)
                try await harness.advance(seconds: 3600)
                try await harness.store.deliverNotifications()
                try await harness.store.deliverNotifications()
                #expect(receiver.received.count == 2)
                #expect(Set(receiver.bodies).count == 1)
                let verified = try await harness.verifier.verify(try #require(receiver.received.last))
                #expect(verified.transaction?.payload.transactionId == book.transactionId)
                delivery = try #require(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.first)
                #expect(delivery.notificationUUID == verified.notification.payload.notificationUUID)
                #expect(delivery.delivered)
                #expect(delivery.attempts == 2)
            }
        }
    }

    @Test(arguments: [
        (HTTPResponse.Status.ok, true), (.accepted, true), (.noContent, true), (.partialContent, true), (.movedPermanently, false),
        (.badRequest, false), (.internalServerError, false),
    ])
    func `a status from 200 to 206 counts as delivered`(_ status: HTTPResponse.Status, _ isDelivered: Bool) async throws {
        let receiver = NotificationReceiver()
        receiver.answer(status)
        try await receiver.listen { url in
            try await StoreHarness.run { harness in
                try await harness.store.setNotificationURL(url)
                _ = try await harness.signIn().buy(.book)
                try await harness.store.deliverNotifications()
                #expect(receiver.received.count == 1)
                #expect(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.map(\.delivered) == [isDelivered])
            }
        }
    }

    @Test func `without a URL notifications are stored, and sent in order once a URL is set`() async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { url in
            try await StoreHarness.run { harness in
                let phone = try await harness.signIn()
                let bought = [try await phone.buy(.book).transactionId, try await phone.buy(.credits).transactionId]
                try await harness.store.deliverNotifications()
                #expect(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.map(\.attempts) == [0, 0])
                try await harness.store.setNotificationURL(url)
                try await harness.store.deliverNotifications()
                var received: [TransactionID?] = []
                for notification in receiver.received {
                    received.append(try await harness.verifier.verify(notification).transaction?.payload.transactionId)
                }
                #expect(received == bought)
            }
        }
    }

    @Test func `many notifications are sent once each and in order, and the newest 1,000 are listed`() async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { url in
            try await StoreHarness.run { harness in
                _ = try await harness.signIn().buy(.book)
                let original = try #require(try await harness.store.context.read { db in try NotificationRecord.fetchOne(db) })
                try await harness.store.context.transaction { db, _ in
                    for number in 1...DeliveriesReply.limit {
                        // Each payload has a number, which shows the order of delivery.
                        let payload = NotificationPayload(
                            notificationType: "TEST", subtype: nil, notificationUUID: "\(number)", signedDate: original.signedDate,
                            data: NotificationData(bundleId: .test, environment: "Sandbox")
                        )
                        try NotificationRecord(
                            payload, signed: SignedNotification("\(number)"), bundleID: .test, environment: .sandbox,
                            account: original.account,
                            originalID: nil
                        ).insert(db)
                    }
                }
                let listed = try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.map(\.notificationUUID)
                #expect(listed == (1...DeliveriesReply.limit).map(String.init))
                try await harness.store.setNotificationURL(url)
                try await harness.store.deliverNotifications()
                #expect(receiver.received.map(\.compact) == [original.signedPayload.compact] + listed)
                #expect(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.allSatisfy(\.delivered))
            }
        }
    }

    @Test func `a delivery pass ends at an unreachable server, and the other notifications stay due`() async throws {
        try await StoreHarness.run { harness in
            // Port 1 is reserved, and nothing listens there on a loopback address.
            try await harness.store.setNotificationURL("http://127.0.0.1:1/apple")
            let phone = try await harness.signIn()
            _ = try await phone.buy(.book)
            _ = try await phone.buy(.credits)
            for attempts in [[1, 0], [1, 1], [1, 1]] {
                try await harness.store.deliverNotifications()
                #expect(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.map(\.attempts) == attempts)
            }
        }
    }

    @Test func `a control call returns after its notifications were delivered`() async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { url in
            try await StoreHarness.run { harness in
                try await harness.store.setNotificationURL(url)
                let phone = try await harness.signIn()
                let magazine = try await phone.buy(.magazine)
                try await harness.advance(days: 31)
                #expect(receiver.received.count == 2)
                try await harness.setPaymentMethod(isValid: false)
                try await harness.advance(days: 31)
                #expect(receiver.received.count == 3)
                try await harness.setPaymentMethod(isValid: true)
                let recovered = receiver.received.count
                try await harness.refund(magazine.transactionId)
                #expect(receiver.received.count == recovered + 1)
                let child = try await harness.signIn("kid@example.com", askToBuyEnabled: true)
                let payment = PaymentID(UUID())
                _ = try await child.purchase(.credits, payment: payment)
                try await harness.decide(payment, approve: true)
                #expect(receiver.received.count == recovered + 2)
                let notificationTypes = try await harness.call(ControlEndpoints.notifications, Empty()).deliveries
                #expect(notificationTypes.allSatisfy(\.delivered) && notificationTypes.count == receiver.received.count)
            }
        }
    }

    @Test func `a control call succeeds if its notifications cannot be delivered`() async throws {
        try await StoreHarness.run { harness in
            try await harness.store.setNotificationURL("http://127.0.0.1:1/apple")
            let book = try await harness.signIn().buy(.book)
            try await harness.refund(book.transactionId)
            #expect(try await harness.notificationTypes() == ["ONE_TIME_CHARGE", "REFUND"])
        }
    }

    @Test func `concurrent delivery passes send each notification once`() async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { url in
            try await StoreHarness.run { harness in
                try await harness.store.setNotificationURL(url)
                let phone = try await harness.signIn()
                for _ in 0..<5 {
                    _ = try await phone.buy(.credits)
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask { try await harness.store.deliverNotifications() }
                    }
                    try await group.waitForAll()
                }
                #expect(receiver.received.count == 5)
            }
        }
    }

    @Test func `a running store renews subscriptions and sends notifications without requests`() async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { url in
            let clock = ManualClock()
            try await StoreHarness.run(clock: clock) { harness in
                try await harness.store.setNotificationURL(url)
                _ = try await harness.signIn().buy(.magazine)
                clock.advance(seconds: 30 * 86_400)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for case let ticker as StoreTicker in harness.store.services {
                        group.addTask { try await ticker.run() }
                    }
                    await receiver.waitForNext()
                    await receiver.waitForNext()
                    group.cancelAll()
                    try await group.waitForAll()
                }
                var types: [String] = []
                for notification in receiver.received.prefix(2) {
                    types.append(try await harness.verifier.verify(notification).notification.payload.notificationType)
                }
                #expect(types == ["SUBSCRIBED", "DID_RENEW"])
            }
        }
    }
}
