import Foundation
import FoundationExtras
import GRDB
import HTTPTypes
import NIOHTTP1
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

@Suite struct SendAttemptTests {
    private func result(at url: String) async throws -> SendAttemptResult {
        try await StoreHarness.run { harness in
            try await harness.store.setNotificationURL(url)
            _ = try await harness.signIn().buy(.book)
            try await harness.store.deliverNotifications()
            let uuid = try #require(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.first).notificationUUID
            let details = try await harness.call(ControlEndpoints.notification, Empty(), ["notification": uuid])
            #expect(details.sendAttempts.map(\.attemptDate) == [harness.clock.now])
            return try #require(details.sendAttempts.first).sendAttemptResult
        }
    }

    @Test func `a send attempt has the App Store's name of its result`() async throws {
        #expect(try await result(at: "http://127.0.0.1:1/apple") == .socketIssue)
        let disconnected = try await RawServer.disconnects.listen { try await result(at: "http://127.0.0.1:\($0)/") }
        #expect(disconnected == .prematureClose)
        let invalid = try await RawServer.sends("not HTTP\r\n\r\n").listen { try await result(at: "http://127.0.0.1:\($0)/") }
        #expect(invalid == .invalidResponse)
        let withoutTLS = try await RawServer.sends("HTTP/1.1 400 No\r\n\r\n").listen { try await result(at: "https://127.0.0.1:\($0)/") }
        #expect(withoutTLS == .tlsIssue)
        let receiver = NotificationReceiver()
        try await receiver.listen { url async throws -> Void in
            #expect(try await result(at: url) == .success)
            receiver.answer(.internalServerError)
            #expect(try await result(at: url) == .unsuccessfulStatus)
            receiver.answer(.found, location: "https://example.com/elsewhere")
            #expect(try await result(at: url) == .unsuccessfulStatus)
            receiver.answer(.found, location: "self")
            #expect(try await result(at: url) == .circularRedirect)
            // A relative `Location` can be a circular redirect too.
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

    @Test func `a send attempt has the address, the status, the duration and the body of the answer`() async throws {
        let busy = RawServer.sends("HTTP/1.1 503 Busy\r\nContent-Length: 600\r\n\r\n" + String(repeating: "b", count: 600))
        try await busy.listen { port in
            try await StoreHarness.run { harness in
                let url = "http://127.0.0.1:\(port)/apple"
                try await harness.store.setNotificationURL(url)
                _ = try await harness.signIn().buy(.book)
                try await harness.store.deliverNotifications()
                let delivery = try #require(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.first)
                let attempt = try #require(delivery.lastAttempt)
                #expect(attempt.url == url && attempt.status == 503 && (attempt.milliseconds ?? -1) >= 0)
                #expect(attempt.response == String(repeating: "b", count: DeliveryAttempt.responseLimit))
                let uuid = ["notification": delivery.notificationUUID]
                #expect(try await harness.call(ControlEndpoints.notification, Empty(), uuid).sendAttempts == [attempt])
                let events = try await harness.store.storeServices.events.events(after: 0, limit: 100)
                #expect(events.filter { $0.milliseconds != nil }.map(\.kind) == [.delivery])
                #expect(events.compactMap(\.milliseconds) == [attempt.milliseconds])
            }
        }
    }

    @Test(arguments: [
        ("http://Example.com:80/", "http://example.com", true), ("https://example.com", "/", true),
        ("https://example.com:443/a", "HTTPS://EXAMPLE.COM/a", true), ("https://example.com/a", "http://example.com/a", false),
        ("https://example.com:443/a", "https://example.com:444/a", false),
    ])
    func `a redirect to another spelling of the same URL is circular`(_ url: String, _ location: String, _ isSame: Bool) {
        let result = SendAttemptResult(.movedPermanently, location: location, from: url)
        #expect(result == (isSame ? .circularRedirect : .unsuccessfulStatus))
    }

    @Test func `notifications of several accounts are sent concurrently, and those of each account in order`() async throws {
        let receiver = NotificationReceiver()
        // The receiver replies after it has one notification of each of the four accounts.
        receiver.holdReplies(until: 4)
        try await receiver.listen { url in
            try await StoreHarness.run { harness in
                var bought: [AccountID: [TransactionID]] = [:]
                for round in 0..<3 {
                    for name in ["ada", "ben", "cleo", "dan"] {
                        let phone = try await harness.signIn(AccountID("\(name)@example.com"))
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

    @Test func `a store with an unresponsive server does not delay other stores`() async throws {
        let receiver = NotificationReceiver()
        try await RawServer.unresponsive.listen { port in
            try await receiver.listen { url in
                try await StoreHarness.run { unresponsive in
                    try await StoreHarness.run { responsive in
                        try await unresponsive.store.setNotificationURL("http://127.0.0.1:\(port)/")
                        try await responsive.store.setNotificationURL(url)
                        _ = try await unresponsive.signIn().buy(.book)
                        let phone = try await responsive.signIn()
                        _ = try await phone.buy(.book)
                        let ticker = StoreTicker(
                            work: StoreWorkQueue([unresponsive.store, responsive.store]), logger: unresponsive.store.logger)
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            group.addTask { try await ticker.run() }
                            await receiver.waitForNext()
                            _ = try await phone.buy(.credits)
                            await receiver.waitForNext()
                            group.cancelAll()
                        }
                        // The first attempt to the unresponsive server has not timed out yet.
                        #expect(try await unresponsive.call(ControlEndpoints.notifications, Empty()).deliveries.map(\.attempts) == [0])
                    }
                }
            }
        }
    }

    @Test func `a notification can be sent again with the same bytes`() async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { url in
            try await StoreHarness.run { harness in
                try await harness.store.setNotificationURL(url)
                _ = try await harness.signIn().buy(.book)
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

    @Test func `each environment has a URL and the appAppleId, and only production has retries`() async throws {
        let (sandbox, production) = (NotificationReceiver(), NotificationReceiver())
        try await sandbox.listen { sandboxURL in
            try await production.listen { productionURL in
                try await StoreHarness.run(retries: .sandbox) { harness in
                    var app = AppRequest()
                    (app.sandboxURL, app.productionURL) = (sandboxURL, productionURL)
                    _ = try await harness.call(ControlEndpoints.setApp, app, ["bundle": BundleID.test.rawValue])
                    sandbox.answer(.serviceUnavailable)
                    production.answer(.serviceUnavailable)
                    let (ada, ben) = (try await harness.signIn(), try await harness.signIn("ben@example.com"))
                    try await harness.set(ben.account) { $0.environment = .production }
                    _ = try await ada.buy(.book)
                    _ = try await ben.purchase(.book)
                    let start = harness.store.clock.now
                    try await harness.advance(days: 365)
                    #expect(sandbox.received.count == 1 && production.received.count == 6)
                    let uuids = try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.map(\.notificationUUID)
                    let last = try await harness.call(ControlEndpoints.notification, Empty(), ["notification": try #require(uuids.last)])
                    let hours = last.sendAttempts.map { ($0.attemptDate.milliseconds - start.milliseconds) / 3_600_000 }
                    #expect(hours == [0, 1, 13, 37, 85, 157])
                    let numbers = try await harness.store.context.read { db in
                        try NotificationRecord.fetchAll(db, sql: "SELECT * FROM notifications ORDER BY rowid").map(\.uuid)
                    }
                    .asyncMap { uuid in
                        let details = try await harness.call(ControlEndpoints.notification, Empty(), ["notification": uuid])
                        return try WireJSON.decode(NotificationPayload.self, from: details.payload.data).data?.appAppleId
                    }
                    let number = harness.store.context.apps[.test]?.row.appAppleID
                    #expect(number != nil && numbers == [number, number])
                }
            }
        }
    }

    @Test func `the details of a notification include its decoded transaction and renewal info`() async throws {
        try await StoreHarness.run { harness in
            let magazine = try await harness.signIn().buy(.magazine)
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

    @Test func `each send attempt is in the event stream`() async throws {
        try await StoreHarness.run { harness in
            try await harness.store.setNotificationURL("http://127.0.0.1:1/apple")
            _ = try await harness.signIn().buy(.book)
            try await harness.store.deliverNotifications()
            let events = try await harness.store.storeServices.events.events(after: 0, limit: 100)
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
