import Foundation
import FoundationExtras
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

/// Tests of the dates to which the clock can be advanced, of the rate limits, and of the catalog as a file.
@Suite struct ScheduleTests {
    private static func schedule(_ harness: StoreHarness, of account: AccountID? = nil) async throws -> ScheduleReply {
        let query = account.map { "?account=\($0)" } ?? ""
        let response = try await harness.send(.get, "/control/v1/clock/schedule\(query)")
        return try WireJSON.decode(ScheduleReply.self, from: Data(buffer: response.body))
    }

    @Test func `the schedule has the first renewal and the first end of a grace period, whatever the order`() throws {
        let renewing = try Sample.subscription()
        var late = try Sample.subscription()
        late.processDue(hasValidPaymentMethod: true)
        var declined = try Sample.subscription()
        declined.processDue(hasValidPaymentMethod: false)
        var disabled = try Sample.subscription()
        _ = disabled.handle(.autoRenew(false), at: Sample.start)
        let graceEnd = try #require(declined.gracePeriodExpirationDate)
        for order in [[renewing, late, declined, disabled], [disabled, declined, late, renewing]] {
            var schedule = SubscriptionSchedule()
            for subscription in order { schedule.add(subscription) }
            #expect(schedule.isComplete && schedule.renewal == renewing.paidUntil && schedule.gracePeriodEnd == graceEnd)
        }
        var schedule = SubscriptionSchedule()
        schedule.add(disabled)
        #expect(schedule == SubscriptionSchedule())
    }

    @Test func `advancing to the schedule renews, begins the grace period and ends it`() async throws {
        try await StoreHarness.run { harness in
            #expect(try await Self.schedule(harness) == ScheduleReply())
            let phone = try await harness.signIn()
            let other = try await harness.signIn("bob@example.com", device: .second)
            _ = try await phone.buy(.magazine)
            try await harness.advance(days: 3)
            _ = try await other.buy(.magazine)
            let renewal = try #require(try await Self.schedule(harness).renewal)
            #expect(try await Self.schedule(harness, of: phone.account).renewal == renewal)
            #expect(try #require(try await Self.schedule(harness, of: other.account).renewal) > renewal)
            _ = try await harness.call(ControlEndpoints.setClock, ClockRequest(now: renewal))
            #expect(try await phone.unfinished().transactions.count == 2)

            try await harness.set(phone.account) { $0.hasValidPaymentMethod = false }
            let declined = try #require(try await Self.schedule(harness, of: phone.account).renewal)
            _ = try await harness.call(ControlEndpoints.setClock, ClockRequest(now: declined))
            #expect(try await Self.schedule(harness, of: phone.account).renewal == nil)
            let end = try #require(try await Self.schedule(harness).gracePeriodEnd)
            _ = try await harness.call(ControlEndpoints.setClock, ClockRequest(now: end))
            #expect(try await harness.notificationTypes().last == "GRACE_PERIOD_EXPIRED")
            #expect(try await Self.schedule(harness).gracePeriodEnd == nil)
            #expect(try await harness.send(.get, "/control/v1/clock/schedule?account=nobody").status == .notFound)
        }
    }

    @Test func `the rate limits are listed while they are disabled`() async throws {
        try await StoreHarness.run { harness in
            let before = try await harness.call(ControlEndpoints.rateLimitState, Empty())
            _ = try await harness.call(ControlEndpoints.rateLimits, RateLimitsRequest(isEnabled: true))
            let after = try await harness.call(ControlEndpoints.rateLimitState, Empty())
            #expect(!before.isEnabled && after.isEnabled && before.limits == after.limits)
            let history = try #require(after.limits.first { $0.endpoint == "GET /inApps/v2/history/{transactionId}" })
            #expect(history.production == 10 * history.sandbox && history.sandbox > 0)
        }
    }

    @Test func `the catalog is read as the file that was uploaded, with its unknown keys`() async throws {
        try await StoreHarness.run { harness in
            var request = AppRequest()
            let file = Data(#"{"products":[],"version":{"major":4,"minor":0},"x":7}"#.utf8)
            request.storekit = JSONText(file)
            _ = try await harness.call(ControlEndpoints.setApp, request, ["bundle": "com.example.other"])
            let read = try await harness.send(.get, "/control/v1/apps/com.example.other/storekit")
            #expect(try WireJSON.decode(JSONValue.self, from: Data(buffer: read.body)) == WireJSON.decode(JSONValue.self, from: file))
            #expect(try await harness.send(.get, "/control/v1/apps/com.example.none/storekit").status == .notFound)
        }
    }
}
