import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

@Suite struct NotificationHistoryTests {
    private static func body(_ harness: StoreHarness, _ more: String = "") -> String {
        let now = harness.store.clock.now
        return #"{"startDate":\#(now.adding(days: -100).milliseconds),"endDate":\#(now.adding(days: 1).milliseconds)\#(more)}"#
    }

    private static func page(_ harness: StoreHarness, _ token: String? = nil, _ more: String = "") async throws
        -> NotificationHistoryResponse
    {
        let query = token.map { "paginationToken=\($0)" } ?? ""
        return try await harness.api(.notificationHistory, query: query, body: body(harness, more), NotificationHistoryResponse.self)
    }

    @Test func `a pagination token is valid for one day and one request body`() async throws {
        let clock = ManualClock()
        try await StoreHarness.run(clock: clock) { harness in
            let phone = try await harness.signIn()
            for _ in 0..<25 { _ = try await phone.buy(.credits) }
            let first = try await Self.page(harness)
            #expect(first.hasMore && first.notificationHistory.count == 20)
            let token = try #require(first.paginationToken)
            let second = try await Self.page(harness, token)
            #expect(!second.hasMore && second.paginationToken == nil && second.notificationHistory.count == 5)
            #expect(Set((first.notificationHistory + second.notificationHistory).map(\.signedPayload)).count == 25)
            await #expect(throws: ServerAPIRefusal(.invalidPaginationToken)) {
                try await Self.page(harness, token, #","onlyFailures":false"#)
            }
            let body = Self.body(harness)
            clock.advance(seconds: 86_400)
            await #expect(throws: ServerAPIRefusal(.paginationTokenExpired)) {
                try await harness.api(.notificationHistory, query: "paginationToken=\(token)", body: body)
            }
        }
    }

    @Test func `the history has every send attempt, and onlyFailures lists undelivered notifications`() async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { address in
            try await StoreHarness.run { harness in
                try await harness.store.setNotificationURL(address)
                receiver.answer(.internalServerError)
                let phone = try await harness.signIn()
                _ = try await phone.buy(.credits)
                try await harness.store.deliverNotifications()
                try await harness.advance(days: 30)
                let failed = try await Self.page(harness, nil, #","onlyFailures":true"#).notificationHistory
                #expect(failed.count == 1)
                #expect((2...6).contains(failed.first?.sendAttempts.count ?? 0))
                #expect(failed.first?.firstSendAttemptResult == "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
                receiver.answer(.ok)
                _ = try await phone.buy(.credits)
                try await harness.store.deliverNotifications()
                #expect(try await Self.page(harness, nil, #","onlyFailures":true"#).notificationHistory == failed)
                let all = try await Self.page(harness).notificationHistory
                #expect(all.map(\.firstSendAttemptResult) == ["SUCCESS", "UNSUCCESSFUL_HTTP_RESPONSE_CODE"])
            }
        }
    }

    @Test func `a test notification is not found before it is sent, or in another environment`() async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { address in
            try await StoreHarness.run { harness in
                try await harness.store.setNotificationURL(address)
                let token = try await harness.api(.requestTestNotification, "", SendTestNotificationResponse.self).testNotificationToken
                let path = ["testNotificationToken": token]
                let early = try await harness.sendAPI(.testNotificationStatus, path)
                #expect(throws: ServerAPIRefusal(.testNotificationNotFound)) { try StoreHarness.read(early, Empty.self) }
                try await harness.store.deliverNotifications()
                let response = try await harness.sendAPI(.testNotificationStatus, path)
                let answer = try StoreHarness.read(response, CheckTestNotificationResponse.self)
                #expect(answer.sendAttempts.map(\.sendAttemptResult) == [.success])
                let payload = try await harness.verifier.verify(answer.signedPayload).notification.payload
                #expect(payload.type == .test && payload.data?.environment == "Sandbox" && payload.data?.signedTransactionInfo == nil)
                let other = try await harness.sendAPI(.testNotificationStatus, path, in: .production)
                #expect(throws: ServerAPIRefusal(.testNotificationNotFound)) { try StoreHarness.read(other, Empty.self) }
            }
        }
    }
}
