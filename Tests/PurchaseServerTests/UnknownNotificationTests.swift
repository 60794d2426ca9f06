import Foundation
import HTTPTypes
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Notifications of the App Store that this version does not know: each is stored and acknowledged, because the App Store does not repeat it.
@Suite struct UnknownNotificationTests {
    private static let data = #""data":{"bundleId":"\#(BundleID.test)","environment":"Sandbox"}"#

    /// Signs any JSON as a notification, and delivers it.
    private static func deliver(_ members: String, uuid: String = "u1", to shop: Shop) async throws -> Answer {
        let json = #"{"notificationUUID":"\#(uuid)","signedDate":\#(shop.clock.now.milliseconds),"version":"2.0",\#(members)}"#
        let signed = SignedNotification(try TestAuthority.shared.signedData.sign(json: Array(json.utf8)))
        return try await shop.call(ServerEndpoints.notifications, NotificationRequest(signedPayload: signed), by: .headers([:]))
    }

    @Test(arguments: [
        (#""notificationType":"SEATS_MOVED",\#(data)"#, "SEATS_MOVED"),
        (#""notificationType":"REFUND","subtype":"HALF",\#(data)"#, "REFUND HALF"),
        (#""notificationType":"NEWS","newsInfo":{"bundleId":"\#(BundleID.test)","environment":"Sandbox","ids":["1"]}"#, "NEWS"),
        (#""notificationType":"NEWS","newsInfo":{"ids":["1"]}"#, "NEWS"), (#""notificationType":"NEWS""#, "NEWS"),
        (#""notificationType":"UNCLAIM_SEATS","unclaimInfo":{"ids":["a"]}"#, "UNCLAIM_SEATS"),
        (#""notificationType":"SWAP_SEATS","unclaimInfo":{"unclaimSeatIds":["a"]}"#, "SWAP_SEATS"),
    ])
    func `an authentic notification of an unknown kind is stored, acknowledged and listed`(members: String, kind: String) async throws {
        try await Shop.open { shop async throws in
            #expect(try await Self.deliver(members, to: shop).status == .ok)
            let unknown = try await shop.unknownNotifications()
            #expect(unknown.map(\.kind) == [kind])
            let stored = try #require(unknown.first?.signedPayload)
            #expect(String(decoding: try UnverifiedJWS(stored.compact).payload, as: UTF8.self).contains(members))

            #expect(try await Self.deliver(members, to: shop).status == .ok)
            #expect(try await shop.unknownNotifications().count == 1)
            #expect(try await shop.call(ServerEndpoints.unknownNotifications, Empty()).code == "key.scope")
        }
    }

    @Test(arguments: [
        #""newsInfo":{"bundleId":"com.example.other","environment":"Sandbox"}"#,
        #""bundleId":"com.example.other","environment":"Sandbox""#,
        #""newsInfo":{"bundleId":"\#(BundleID.test)","environment":"Xcode"}"#,
        #""unclaimInfo":{"unclaimSeatIds":["a"],"bundleId":"com.example.other","environment":"Sandbox"}"#,
        #""unclaimInfo":{"unclaimSeatIds":["a"],"bundleId":"\#(BundleID.test)","environment":"Xcode"}"#,
    ])
    func `an unknown notification of another app or environment is refused`(members: String) async throws {
        try await Shop.open { shop async throws in
            for type in ["NEWS", "UNCLAIM_SEATS"] {
                #expect(try await Self.deliver(#""notificationType":"\#(type)",\#(members)"#, to: shop).code == "notification.refused")
            }
            #expect(try await shop.unknownNotifications().isEmpty)
        }
    }

    @Test func `an UNCLAIM_SEATS with the documented member is understood`() async throws {
        try await Shop.open { shop async throws in
            let members = """
                "notificationType":"UNCLAIM_SEATS","unclaimInfo":{"unclaimSeatIds":["5a3b1f2c-7d7f-4f13-8a86-0f3a1c9e2b77"],\
                "bundleId":"\(BundleID.test)","environment":"Sandbox"}
                """
            #expect(try await Self.deliver(members, to: shop).status == .ok)
            #expect(try await shop.unknownNotifications().isEmpty)
        }
    }

    @Test func `a version that understands a stored notification applies it when the server starts`() async throws {
        try await Shop.open { shop async throws in
            let receiver = try #require(shop.server.apps.all.first).notifications
            #expect(try await Self.deliver(#""notificationType":"NEWS""#, uuid: "u0", to: shop).status == .ok)
            let notification = try NotificationPayload.about(.bookSale, type: "ONE_TIME_CHARGE", uuid: "u1")
            let verified = try await receiver.verified(TestAuthority.shared.signedData.sign(notification))
            // An earlier version stored the notification, and did not record its transaction.
            try await shop.server.storage.write(.test) { records in
                let record = ReceivedNotification(verified, receivedAt: shop.clock.now)
                _ = try records.insert(record)
                try records.insert(unknown: record)
            }
            #expect(try await shop.entitlement(to: .book).state == .none)
            #expect(try await receiver.applyUnderstood(limit: 9) == 1)
            #expect(try await shop.entitlement(to: .book).state == .owned)
            #expect(try await shop.unknownNotifications().map(\.kind) == ["NEWS"])
            #expect(try await receiver.applyUnderstood(limit: 9) == 0)
        }
    }

    @Test func `the transaction of an unknown notification type is recorded`() async throws {
        try await Shop.open { shop async throws in
            let notification = try NotificationPayload.about(.bookSale, type: "SOLD_OTHERWISE", uuid: "u1")
            #expect(try await shop.notify(notification).status == .ok)
            #expect(try await shop.entitlement(to: .book).state == .owned)
            #expect(try await shop.unknownNotifications().map(\.hasTransaction) == [true])
        }
    }
}

extension Shop {
    /// Returns the notifications that the server does not understand.
    fileprivate func unknownNotifications() async throws -> [UnknownNotificationsReply.Notification] {
        let admin = Sender.headers([.authorization: "Bearer \(keys.admin)"])
        return try await call(ServerEndpoints.unknownNotifications, Empty(), by: admin).value(UnknownNotificationsReply.self).notifications
    }
}
