import FoundationExtras
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing
import Wire

@testable import LocalAppStore

/// Tests with developers' servers that send no response or an incomplete response.
@Suite(.timeLimit(.minutes(10))) struct UnresponsiveServerTests {
    @Test func `an incomplete response does not delay deliveries`() async throws {
        let beginning = "HTTP/1.1 200 OK\r\nContent-Length: 1800\r\n\r\nx"
        try await RawServer.sendsAndStalls(beginning).listen { port in
            // Waiting for the rest of the responses would exceed the time limit of the suite.
            try await StoreHarness.run(timeout: .seconds(3_600)) { harness in
                let phone = try await harness.signIn()
                for _ in 0..<4 { _ = try await phone.buy(.book) }
                try await harness.store.setNotificationURL("http://127.0.0.1:\(port)/")
                try await harness.store.deliverNotifications()
                #expect(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.allSatisfy(\.delivered))
            }
        }
    }

    @Test func `attempts at a silent server follow production's schedule while the time advances`() async throws {
        try await RawServer.unresponsive.listen { port in
            try await StoreHarness.run(timeout: .milliseconds(200)) { harness in
                try await harness.store.setNotificationURL("http://127.0.0.1:\(port)/")
                let phone = try await harness.signIn()
                _ = try await phone.buy(.magazine)
                for _ in 0..<3 { _ = try await phone.buy(.credits) }
                try await harness.advance(days: 200)
                let deliveries = try await harness.call(ControlEndpoints.notifications, Empty()).deliveries
                #expect(deliveries.count > 8 && deliveries.allSatisfy { $0.attempts > 0 })
                for delivery in deliveries {
                    let path = ["notification": delivery.notificationUUID]
                    let details = try await harness.call(ControlEndpoints.notification, Empty(), path)
                    let signed = try WireJSON.decode(NotificationPayload.self, from: details.payload.data).signedDate
                    let hours = details.sendAttempts.map { ($0.attemptDate.milliseconds - signed.milliseconds) / 3_600_000 }
                    // The newest notifications may have attempts that are not due yet.
                    #expect(hours == Array([0, 1, 13, 37, 85, 157].prefix(hours.count)), "\(details.type) \(hours)")
                    #expect(details.sendAttempts.allSatisfy { $0.sendAttemptResult == .timedOut })
                    #expect(hours.count == 6 || signed.adding(seconds: 158 * 3_600) > harness.store.clock.now)
                }
            }
        }
    }

    @Test func `calls do not wait for a server that is known to be unresponsive`() async throws {
        try await RawServer.unresponsive.listen { port in
            try await StoreHarness.run(timeout: .seconds(2)) { harness in
                try await harness.store.setNotificationURL("http://127.0.0.1:\(port)/")
                let phone = try await harness.signIn()
                _ = try await phone.buy(.book)
                try await harness.store.deliverNotifications()
                let sender = harness.store.storeServices.sender
                #expect(await sender.isDelayedByServers)
                // Each purchase has a notification that the server does not answer.
                for _ in 0..<5 {
                    try await harness.buy(.credits, for: "ben")
                    #expect(await !sender.deliverSoon())
                }
            }
        }
    }

    @Test func `a move to a date that continues an advance does not wait for a silent server again`() async throws {
        try await RawServer.unresponsive.listen { port in
            try await StoreHarness.run(timeout: .milliseconds(200)) { harness in
                _ = try await harness.signIn().buy(.magazineWeekly)
                try await harness.store.setNotificationURL("http://127.0.0.1:\(port)/")
                try await harness.advance(days: 30)
                let date = harness.store.clock.now.adding(days: 10)
                _ = try await harness.call(ControlEndpoints.setClock, ClockRequest(now: date, isContinuation: true))
                var attempts: [DeliveryAttempt] = []
                for delivery in try await harness.call(ControlEndpoints.notifications, Empty()).deliveries {
                    let path = ["notification": delivery.notificationUUID]
                    attempts += try await harness.call(ControlEndpoints.notification, Empty(), path).sendAttempts
                }
                // Only the first attempt was a request; the others are recorded at their times without one.
                #expect(attempts.count > 6 && attempts.count { $0.milliseconds != nil } == 1)
            }
        }
    }

    @Test func `an advance that begins during an attempt at a silent server makes no second one`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            for _ in 0..<2 { _ = try await phone.buy(.book) }
            _ = try await phone.buy(.filter)
            try await harness.store.setNotificationURL("http://127.0.0.1:1/")
            let requests = Mutex(0)
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let sender = NotificationSender(
                context: harness.store.context, notifications: harness.store.storeServices.notifications,
                events: harness.store.storeServices.events, retries: .production, timeout: .zero,
                post: { _, _, _ in
                    requests.withLock { $0 += 1 }
                    begin.yield()
                    for await _ in ends { break }
                    return DeliveryAnswer(.timedOut)
                }, logger: .silent)
            async let pass = sender.deliver()
            for await _ in begun { break }
            try await sender.duringTimeAdvance {
                end.finish()
                try await sender.deliver()
            }
            #expect(try await !pass)
            #expect(requests.withLock { $0 } == 1)
            #expect(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.map(\.attempts) == [1, 1])
        }
    }
}
