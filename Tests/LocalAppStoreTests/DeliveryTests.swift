import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

@Suite struct DeliveryTests {
    @Test func `six attempts are made in the pattern of production, then no more`() {
        var delivery = Delivery(attempts: 0, state: .waiting(until: .testStart))
        var hours: [Int64] = []
        while let next = delivery.nextAttempt {
            hours.append((next.milliseconds - Timestamp.testStart.milliseconds) / 3_600_000)
            delivery.attempted(taken: false, at: next, retries: .production)
        }
        #expect(hours == [0, 1, 13, 37, 85, 157])
        #expect(delivery == Delivery(attempts: 6, state: .abandoned))
    }

    @Test func `the sandbox's pattern tries once`() {
        var delivery = Delivery(attempts: 0, state: .waiting(until: .testStart))
        delivery.attempted(taken: false, at: .testStart, retries: .sandbox)
        #expect(delivery == Delivery(attempts: 1, state: .abandoned))
    }

    @Test(arguments: [Delivery.State.delivered, .abandoned])
    func `what is over is not tried again`(_ state: Delivery.State) {
        var delivery = Delivery(attempts: 2, state: state)
        delivery.attempted(taken: true, at: .testStart, retries: .production)
        #expect(delivery == Delivery(attempts: 2, state: state))
    }

    @Test(arguments: [
        "http://127.0.0.1:8080/apple", "https://example.com", "https://example.com/a/?b=c", "HTTP://[::1]:80/x",
    ])
    func `http and https addresses are taken`(_ url: String) {
        #expect(NotificationAddress(url) != nil)
    }

    @Test(arguments: ["", "example.com", "ftp://example.com", "http://", "file:///etc/passwd", "http:// x", "http://x/#fragment"])
    func `other addresses are refused`(_ url: String) async throws {
        try await StoreHarness.run { harness in
            await #expect(throws: StoreError.notificationURLUnusable) { try await harness.store.setNotificationURL(url) }
        }
    }
}
