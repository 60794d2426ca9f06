import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct NotificationAttemptsTests {
    @Test func `production makes six delivery attempts and then abandons the notification`() {
        var delivery = NotificationAttempts(state: .pending(until: .testStart))
        var hours: [Int64] = []
        while let next = delivery.nextAttempt {
            hours.append((next.milliseconds - Timestamp.testStart.milliseconds) / 3_600_000)
            delivery.addAttempt(DeliveryAttempt(attemptDate: next, sendAttemptResult: .unsuccessfulStatus), retries: .production)
        }
        #expect(hours == [0, 1, 13, 37, 85, 157])
        #expect(delivery.state == .abandoned)
        #expect(delivery.attempts.count == 6)
    }

    @Test func `the sandbox makes one delivery attempt`() {
        var delivery = NotificationAttempts(state: .pending(until: .testStart))
        let attempt = DeliveryAttempt(attemptDate: .testStart, sendAttemptResult: .timedOut)
        delivery.addAttempt(attempt, retries: .sandbox)
        #expect(delivery == NotificationAttempts(attempts: [attempt], state: .abandoned))
    }

    @Test func `version 1 notifications have three retries in production and none in the sandbox`() {
        #expect(NotificationRetries.pattern(version: 1, in: .production, sandbox: .sandbox).hours == [6, 24, 48])
        #expect(NotificationRetries.pattern(version: 1, in: .sandbox, sandbox: .sandbox).hours == [])
        #expect(NotificationRetries.pattern(version: 2, in: .production, sandbox: .sandbox).hours == [1, 12, 24, 48, 72])
    }

    @Test func `a store retries notifications like Apple's sandbox by default`() {
        let configuration = LocalAppStoreConfiguration(bundleID: .test, catalog: .empty, database: .memory)
        #expect(configuration.notificationRetries == .sandbox)
    }

    @Test(arguments: [NotificationAttempts.State.delivered, .abandoned])
    func `a delivered or abandoned notification is sent again only on request`(_ state: NotificationAttempts.State) {
        var delivery = NotificationAttempts(state: state)
        delivery.addAttempt(DeliveryAttempt(attemptDate: .testStart, sendAttemptResult: .success), retries: .production)
        #expect(delivery.state == state)
        #expect(delivery.attempts.count == 1)
        delivery.scheduleRetry(at: .testStart)
        #expect(delivery.nextAttempt == .testStart)
    }

    @Test(arguments: [
        "http://127.0.0.1:8080/apple", "https://example.com", "https://example.com/a/?b=c", "HTTP://[::1]:80/x",
    ])
    func `http and https URLs are accepted`(_ url: String) {
        #expect(NotificationAddress(url) != nil)
    }

    @Test(arguments: ["", "example.com", "ftp://example.com", "http://", "file:///etc/passwd", "http:// x", "http://x/#fragment"])
    func `other URLs are refused`(_ url: String) async throws {
        try await StoreHarness.run { harness in
            await #expect(throws: NotificationError.invalidURL) { try await harness.store.setNotificationURL(url) }
        }
    }
}
