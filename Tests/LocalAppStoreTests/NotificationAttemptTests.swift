import Foundation
import GRDB
import HTTPTypes
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

@Suite struct NotificationAttemptTests {
    private func result(at url: String) async throws -> SendAttemptResult {
        try await StoreHarness.run { harness in
            try await harness.store.setNotificationURL(url)
            _ = try await harness.phone().buy(.book)
            try await harness.store.deliverNotifications()
            let uuid = try #require(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.first).notificationUUID
            let details = try await harness.call(ControlEndpoints.notification, Empty(), ["notification": uuid])
            #expect(details.sendAttempts.map(\.attemptDate) == [harness.clock.now])
            return try #require(details.sendAttempts.first).sendAttemptResult
        }
    }

    @Test func `an attempt has the name that the App Store gives to what came of it`() async throws {
        #expect(try await result(at: "http://127.0.0.1:1/apple") == .socketIssue)
        let hung = try await RawServer.hangsUp.listen { try await result(at: "http://127.0.0.1:\($0)/") }
        #expect(hung == .prematureClose)
        let strange = try await RawServer.says("pardon?\r\n\r\n").listen { try await result(at: "http://127.0.0.1:\($0)/") }
        #expect(strange == .invalidResponse)
        let plain = try await RawServer.says("HTTP/1.1 400 No\r\n\r\n").listen { try await result(at: "https://127.0.0.1:\($0)/") }
        #expect(plain == .tlsIssue)
        let receiver = NotificationReceiver()
        try await receiver.listen { url async throws -> Void in
            #expect(try await result(at: url) == .success)
            receiver.answer(.internalServerError)
            #expect(try await result(at: url) == .unsuccessfulStatus)
            receiver.answer(.found, location: "https://example.com/elsewhere")
            #expect(try await result(at: url) == .unsuccessfulStatus)
            receiver.answer(.found, location: "self")
            #expect(try await result(at: url) == .circularRedirect)
        }
    }

    @Test func `customers do not wait for each other, and each one's notifications come in order`() async throws {
        let receiver = NotificationReceiver()
        // Nobody is answered before the first notification of each of four customers has come.
        receiver.expectTogether(4)
        try await receiver.listen { url in
            try await StoreHarness.run { harness in
                var bought: [AccountID: [TransactionID]] = [:]
                for round in 0..<3 {
                    for name in ["ada", "ben", "cleo", "dan"] {
                        let phone = try await harness.phone(AccountID("\(name)@example.com"))
                        bought[phone.account, default: []].append(try await phone.buy(round == 0 ? .book : .credits).transactionId)
                    }
                }
                try await harness.store.setNotificationURL(url)
                try await harness.store.deliverNotifications()
                let order = try await receiver.received.asyncMap {
                    try await harness.verifier.verify($0).transaction?.payload.transactionId
                }
                #expect(order.count == 12)
                for (_, ids) in bought {
                    #expect(order.filter { ids.contains($0 ?? "") } == ids)
                }
            }
        }
    }

    @Test func `a notification can be sent again, the same bytes as before`() async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { url in
            try await StoreHarness.run { harness in
                try await harness.store.setNotificationURL(url)
                _ = try await harness.phone().buy(.book)
                try await harness.store.deliverNotifications()
                let uuid = try #require(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.first).notificationUUID
                let details = try await harness.call(ControlEndpoints.resend, Empty(), ["notification": uuid])
                #expect(details.sendAttempts.map(\.sendAttemptResult) == [.success, .success])
                #expect(details.delivered)
                let body = try #require(details.body)
                #expect(receiver.bodies == [body, body])
                await #expect(throws: Refused(status: 404, code: "notifications.unknown")) {
                    try await harness.call(ControlEndpoints.resend, Empty(), ["notification": "none"])
                }
            }
        }
    }

    @Test func `a notification can be looked into, down to what is signed inside`() async throws {
        try await StoreHarness.run { harness in
            let magazine = try await harness.phone().buy(.magazine)
            let uuid = try #require(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.first).notificationUUID
            let details = try await harness.call(ControlEndpoints.notification, Empty(), ["notification": uuid])
            #expect(details.type == "SUBSCRIBED" && details.subtype == "INITIAL_BUY" && details.version == 2)
            #expect(details.account == "ada@example.com" && details.bundleID == .test && details.environment == .sandbox)
            #expect(try WireJSON.decode(NotificationPayload.self, from: details.payload.data).notificationUUID == uuid)
            let transaction = try WireJSON.decode(TransactionPayload.self, from: try #require(details.transaction).data)
            #expect(transaction.transactionId == magazine.transactionId)
            let renewal = try WireJSON.decode(RenewalInfoPayload.self, from: try #require(details.renewalInfo).data)
            #expect(renewal.autoRenewProductId == .magazine)
            #expect(details.sendAttempts.isEmpty && !details.delivered)
        }
    }

    @Test func `each attempt is news for those who watch`() async throws {
        try await StoreHarness.run { harness in
            try await harness.store.setNotificationURL("http://127.0.0.1:1/apple")
            _ = try await harness.phone().buy(.book)
            try await harness.store.deliverNotifications()
            let events = try await harness.store.ledger.events(after: 0, limit: 100)
            #expect(events.filter { $0.kind == .notification }.map(\.detail) == ["ONE_TIME_CHARGE"])
            #expect(events.filter { $0.kind == .delivery }.map(\.detail) == ["ONE_TIME_CHARGE SOCKET_ISSUE"])
        }
    }
}

extension Sequence where Element: Sendable {
    func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
