import Foundation
import HTTPTypes
import Logging
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire
import WireServer

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the samples of refused notifications.
@Suite struct RefusedNotificationTests {
    @Test func `a refused notification is shown to the operator only, and its UUID stays free for a valid one`() async throws {
        try await Shop.open { shop async throws in
            let notification = try NotificationPayload.about(.bookSale, type: "ONE_TIME_CHARGE", uuid: "u1")
            #expect(try await shop.notify(notification, by: .other).code == "notification.refused")
            #expect(try await shop.call(ServerEndpoints.refusedNotifications, Empty()).code == "key.scope")
            let refused = try #require(try await shop.refusedNotifications().first)
            #expect(refused.date == shop.clock.now && refused.code == "notification.refused" && !refused.message.isEmpty)
            #expect(String(decoding: refused.head, as: UTF8.self).hasPrefix(#"{"signedPayload":""#))
            #expect(refused.size > refused.head.count && refused.head.count == RefusedNotification.headLimit)

            #expect(try await shop.notify(notification).status == .ok)
            #expect(try await shop.entitlement(to: .book).state == .owned)
            #expect(try await shop.server.notifications(limit: 10).map(\.uuid) == ["u1"])
        }
    }

    @Test func `a damaged number of a sample does not end the server at the next refused notification`() async throws {
        let storage = try SQLitePurchaseStorage(.memory)
        let refused = RefusedNotification(date: .testStart, code: "code", message: "message", size: 1, head: Data([1]))
        let count = try await storage.write(.test) { records in
            try records.insert(refused)
            _ = try #require(records as? SQLTransaction).changes("UPDATE refused_notification SET number = \(Int64.max) WHERE app = ?1")
            try records.insert(refused)
            return try records.refusedNotifications(limit: 10).count
        }
        #expect(count == 2)
    }

    @Test func `a refused notification has a line at the info level with the identifier of its response, without personal data`()
        async throws
    {
        let log = RecordingLog()
        try await Shop.open(logger: log.logger) { shop async throws in
            let uuid = "002e14d5-51f5-4503-b5a8-c3a1af68eb20"
            let sale = TransactionPayload.bookSale.with {
                $0.transactionId = "2000000000000777"
                $0.originalTransactionId = "2000000000000777"
                $0.appAccountToken = Shop.customer
            }
            let charge = try NotificationPayload.about(sale, type: "ONE_TIME_CHARGE", uuid: uuid)
            let magazine = TransactionPayload.sale(.magazine, .autoRenewable, id: "1", expires: .testStart.adding(days: 1))
            let mismatched = try NotificationPayload.about(magazine, .sample(original: "2"), type: "DID_RENEW", uuid: uuid)
            let invented = NotificationPayload.sample(type: "mail to jane@example.com", uuid: "jane@example.com")
            let unsigned = Data(
                #"{"notification_type":"REFUND","password":"geheim","original_transaction_id":"2000000000000777"}"#.utf8)
            let refused: [(answer: Answer, texts: [String])] = [
                (
                    try await shop.notify(charge, by: .other),
                    ["code\": notification.refused", "verified\": false", "version\": 2", "type\": ONE_TIME_CHARGE", "uuid\": \(uuid)"]
                ),
                (try await shop.notify(mismatched), ["verified\": true", "version\": 2", "type\": DID_RENEW", "uuid\": \(uuid)"]),
                (try await shop.notify(invented, by: .other), ["verified\": false", "version\": 2"]),
                (try await shop.post("/v1/notifications", unsigned), ["verified\": false", "version\": 1", "type\": REFUND"]),
                (try await shop.post("/v1/notifications", Data("{".utf8)), ["code\": body.unreadable", "verified\": false"]),
                (try await shop.post("/v1/apps/jane@example.com/notifications", unsigned), ["code\": notification.unknown-app"]),
            ]
            let lines = log.lines(.info).filter { $0.hasPrefix("notification refused") }
            #expect(lines.count == refused.count)
            #expect(log.requests("notification refused") == refused.map { $0.answer.headers[.requestID] ?? "none" })
            for (line, expected) in zip(lines, refused) {
                for text in expected.texts { #expect(line.contains(text), "\(line)") }
                for text in [Shop.customer.rawValue, "2000000000000777", "geheim", "jane"] { #expect(!line.contains(text), "\(line)") }
            }
            #expect(try await shop.notify(charge).status == .ok)
            #expect(log.lines(.debug).contains { $0.hasPrefix("notification accepted") && $0.contains(uuid) })
            #expect(!log.lines(.info).contains { $0.hasPrefix("notification accepted") })
        }
    }

    @Test func `a flood of refused notifications has few lines in the log, and leaves those of other refusals`() async throws {
        let log = RecordingLog()
        try await Shop.open(logger: log.logger) { shop async throws in
            func lines() -> Int { log.lines(.info).count { $0.hasPrefix("notification refused") } }
            for _ in 1...50 { #expect(try await shop.post("/v1/notifications", Data("{}".utf8)).status == .badRequest) }
            #expect(lines() == NotificationLog.refusalsPerMinute)
            #expect(try await shop.notify(.about(.bookSale, type: "ONE_TIME_CHARGE"), by: .other).code == "notification.refused")
            #expect(lines() == NotificationLog.refusalsPerMinute + 1)
            // Forgeries do not hide the refusal of a notification that the App Store signed.
            for _ in 1...50 { _ = try await shop.notify(.about(.bookSale, type: "ONE_TIME_CHARGE"), by: .other) }
            let magazine = TransactionPayload.sale(.magazine, .autoRenewable, id: "1", expires: .testStart.adding(days: 1))
            _ = try await shop.notify(.about(magazine, .sample(original: "2"), type: "DID_RENEW"))
            #expect(log.lines(.info).contains { $0.contains("DID_RENEW") && $0.contains("verified\": true") })
        }
    }

    @Test func `only the newest samples are kept, and a flood of refused bodies is not stored`() async throws {
        try await Shop.open { shop async throws in
            for number in 1...130 {
                #expect(try await shop.post("/v1/notifications", Data(#"{"number":\#(number)}"#.utf8)).status == .badRequest)
            }
            var heads = try await shop.refusedNotifications().map { String(decoding: $0.head, as: UTF8.self) }
            #expect(heads.count == 100 && heads.first == #"{"number":100}"#)
            shop.clock.advance(seconds: 3)
            for number in 131...140 { _ = try await shop.post("/v1/notifications", Data(#"{"number":\#(number)}"#.utf8)) }
            heads = try await shop.refusedNotifications().map { String(decoding: $0.head, as: UTF8.self) }
            #expect(Array(heads.prefix(4)) == [133, 132, 131, 100].map { #"{"number":\#($0)}"# })
            #expect(heads.count == 100 && heads.last == #"{"number":4}"#)
        }
    }

    @Test(
        arguments: [
            ("*", "{***}", "{*********}"), ("**", "{***}", "{****}"), ("***", "{***}", "{***}"), ("a", "bab", "b***b"), ("", "a", "a"),
            (String(repeating: "a", count: 257), "b", ""),
        ])
    func `a secret of the sender, whatever it is, is replaced once`(_ secret: String, _ body: String, _ head: String) {
        let refused = RefusedNotification(Data(body.utf8), removing: [secret], date: .testStart, code: "code", message: "")
        #expect(String(decoding: refused.head, as: UTF8.self) == head)
    }

    @Test func `a secret that appears a million times, or across the end of the sample, does not appear in it`() {
        for (secret, body) in [("a", String(repeating: "a", count: 1 << 20)), ("secret", String(repeating: "b", count: 4_092) + "secret")] {
            let refused = RefusedNotification(Data(body.utf8), removing: [secret], date: .testStart, code: "code", message: "")
            #expect(refused.head.count <= RefusedNotification.headLimit && refused.size == body.utf8.count)
            #expect(!String(decoding: refused.head, as: UTF8.self).contains(secret.prefix(4)))
        }
    }

    @Test func `a refused body whose password is an asterisk is answered`() async throws {
        try await Shop.open { shop async throws in
            let body = Data(#"{"notification_type":"X","password":"*"}"#.utf8)
            #expect(try await shop.post("/v1/notifications", body).status.kind == .clientError)
            #expect(try await shop.refusedNotifications().count == 1)
        }
    }

    @Test func `a body that can be accepted later is no sample`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path()
            try await Shop.open(database: .file(path)) { shop async throws in
                #expect(try await shop.refusedNotifications().isEmpty)
                try FileManager.default.removeItem(atPath: path)
                #expect(try await shop.notify(.about(.bookSale, type: "ONE_TIME_CHARGE")).status == .serviceUnavailable)
                #expect(try await shop.notify(.about(.bookSale, type: "ONE_TIME_CHARGE"), by: .other).code == "notification.refused")
            }
        }
    }
}

extension Shop {
    /// Reads the refused notifications as the operator.
    func refusedNotifications() async throws -> [RefusedNotificationsReply.Sample] {
        let admin = Sender.headers([.authorization: "Bearer \(keys.admin)"])
        return try await call(ServerEndpoints.refusedNotifications, Empty(), by: admin)
            .value(RefusedNotificationsReply.self).notifications
    }
}
