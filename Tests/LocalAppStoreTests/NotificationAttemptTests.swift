import Foundation
import GRDB
import HTTPTypes
import NIOHTTP1
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
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
            // A relative Location is one as well.
            for location in [
                "/apple/notifications", "notifications", "./notifications", "../apple/notifications", "/apple/notifications#x",
            ] {
                receiver.answer(.found, location: location)
                #expect(try await result(at: url) == .circularRedirect, "\(location)")
            }
            for location in ["/apple/notification", "notifications/", "/apple/notifications?x", "//example.com/apple/notifications", "%%"] {
                receiver.answer(.found, location: location)
                #expect(try await result(at: url) == .unsuccessfulStatus, "\(location)")
            }
        }
    }

    @Test(arguments: [
        ("http://Example.com:80/", "http://example.com", true), ("https://example.com", "/", true),
        ("https://example.com:443/a", "HTTPS://EXAMPLE.COM/a", true), ("https://example.com/a", "http://example.com/a", false),
        ("https://example.com:443/a", "https://example.com:444/a", false),
    ])
    func `the same address is the same in every spelling`(_ url: String, _ location: String, _ isSame: Bool) {
        let result = SendAttemptResult(.movedPermanently, location: location, from: url)
        #expect(result == (isSame ? .circularRedirect : .unsuccessfulStatus))
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

    @Test func `a store whose server is silent keeps no other store waiting`() async throws {
        let receiver = NotificationReceiver()
        try await RawServer.isSilent.listen { port in
            try await receiver.listen { url in
                try await StoreHarness.run { silent in
                    try await StoreHarness.run { answered in
                        try await silent.store.setNotificationURL("http://127.0.0.1:\(port)/")
                        try await answered.store.setNotificationURL(url)
                        _ = try await silent.phone().buy(.book)
                        let phone = try await answered.phone()
                        _ = try await phone.buy(.book)
                        let ticker = StoreTicker(stores: { [silent.store, answered.store] }, logger: silent.store.logger)
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            group.addTask { try await ticker.run() }
                            await receiver.awaitArrival()
                            _ = try await phone.buy(.credits)
                            await receiver.awaitArrival()
                            group.cancelAll()
                        }
                        // Its first attempt has not even failed yet.
                        #expect(try await silent.call(ControlEndpoints.notifications, Empty()).deliveries.map(\.attempts) == [0])
                    }
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

    @Test func `each environment has its address, and only production says the app's number and tries again`() async throws {
        let (sandbox, production) = (NotificationReceiver(), NotificationReceiver())
        try await sandbox.listen { sandboxURL in
            try await production.listen { productionURL in
                try await StoreHarness.run(retries: .sandbox) { harness in
                    var app = AppRequest()
                    (app.sandboxURL, app.productionURL) = (sandboxURL, productionURL)
                    _ = try await harness.call(ControlEndpoints.setApp, app, ["bundle": BundleID.test.rawValue])
                    sandbox.answer(.serviceUnavailable)
                    production.answer(.serviceUnavailable)
                    let (ada, ben) = (try await harness.phone(), try await harness.phone("ben@example.com"))
                    var real = AccountRequest()
                    real.environment = .production
                    _ = try await harness.call(ControlEndpoints.setAccount, real, ["account": ben.account.rawValue])
                    _ = try await ada.buy(.book)
                    _ = try await ben.purchase(.book)
                    let start = harness.store.clock.now
                    try await harness.advance(days: 365)
                    #expect(sandbox.received.count == 1 && production.received.count == 6)
                    let uuids = try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.map(\.notificationUUID)
                    let last = try await harness.call(ControlEndpoints.notification, Empty(), ["notification": try #require(uuids.last)])
                    let hours = last.sendAttempts.map { ($0.attemptDate.milliseconds - start.milliseconds) / 3_600_000 }
                    #expect(hours == [0, 1, 13, 37, 85, 157])
                    let numbers = try await harness.store.ledger.read { db in
                        try NotificationRecord.fetchAll(db, sql: "SELECT * FROM notifications ORDER BY rowid").map(\.uuid)
                    }
                    .asyncMap { uuid in
                        let details = try await harness.call(ControlEndpoints.notification, Empty(), ["notification": uuid])
                        return try WireJSON.decode(NotificationPayload.self, from: details.payload.data).data?.appAppleId
                    }
                    #expect(numbers == [nil, harness.store.ledger.apps[.test]?.row.appAppleID])
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
