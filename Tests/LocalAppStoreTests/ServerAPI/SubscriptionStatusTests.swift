import Foundation
import GRDB
import HummingbirdTesting
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct SubscriptionStatusTests {
    private static let reason = #""extendReasonCode":3,"requestIdentifier":"3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84""#

    private static func mass(_ days: Int = 2, _ product: ProductID = .magazine) -> String {
        #"{"extendByDays":\#(days),"productId":"\#(product)",\#(reason)}"#
    }

    private static func status(_ harness: StoreHarness, in environment: AppEnvironment = .sandbox) async throws
        -> MassExtendRenewalDateStatusResponse
    {
        let parameters = ["productId": ProductID.magazine.rawValue, "requestIdentifier": "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84"]
        let response = try await harness.sendAPI(.massExtensionStatus, parameters, in: environment)
        return try StoreHarness.read(response, MassExtendRenewalDateStatusResponse.self)
    }

    @Test func `the status follows a subscription through grace period, billing retry and expiration`() async throws {
        try await StoreHarness.run { harness in
            let id = try await harness.signIn().buy(.magazine).transactionId
            #expect(try await harness.onlyStatus(id).status == 1)
            try await harness.setPaymentMethod(isValid: false)
            try await harness.advance(days: 30)
            #expect(try await harness.onlyStatus(id).status == 4)
            try await harness.advance(days: 17)
            let retried = try await harness.onlyStatus(id, query: "status=3&status=5")
            #expect(retried.status == 3)
            let renewal = try await harness.verifier.verify(retried.signedRenewalInfo).payload
            #expect(renewal.isInBillingRetryPeriod == true)
            #expect(renewal.originalTransactionId == id)
            try await harness.advance(days: 60)
            #expect(try await harness.onlyStatus(id).status == 2)
            #expect(try await harness.api(.subscriptionStatuses, id.rawValue, query: "status=1", StatusResponse.self).data == [])
        }
    }

    @Test func `a refund revokes the subscription`() async throws {
        try await StoreHarness.run { harness in
            let id = try await harness.signIn().buy(.magazine).transactionId
            try await harness.refund(id)
            #expect(try await harness.onlyStatus(id).status == 5)
        }
    }

    @Test func `each subscription group has an element in the response`() async throws {
        let paid = TestCatalog.storekit.replacing(#""displayPrice" : "0""#, with: #""displayPrice" : "1.99""#)
        try await StoreHarness.run(storekit: paid) { harness in
            let phone = try await harness.signIn()
            let id = try await phone.buy(.magazine).transactionId
            _ = try await phone.buy(.news)
            let groups = try await harness.api(.subscriptionStatuses, id.rawValue, StatusResponse.self).data
            #expect(groups.map(\.subscriptionGroupIdentifier) == ["21A2B3C4", "31A2B3C4"])
        }
    }

    @Test func `a subscription in grace period, in billing retry, expired or free cannot be extended`() async throws {
        try await StoreHarness.run { harness in
            let body = #"{"extendByDays":1,\#(Self.reason)}"#
            let phone = try await harness.signIn()
            let (id, free) = (try await phone.buy(.magazine).transactionId, try await phone.buy(.news).transactionId)
            await #expect(throws: ServerAPIRefusal(.subscriptionExtensionIneligible)) {
                try await harness.api(.extendRenewalDate, free.rawValue, body: body)
            }
            try await harness.setPaymentMethod(isValid: false)
            for days: Int64 in [32, 17, 60] {
                try await harness.advance(days: days)
                await #expect(throws: ServerAPIRefusal(.subscriptionExtensionIneligible)) {
                    try await harness.api(.extendRenewalDate, id.rawValue, body: body)
                }
            }
        }
    }

    @Test func `an extended subscription sends a notification and renews at the new date`() async throws {
        try await StoreHarness.run { harness in
            let bought = try await harness.signIn().buy(.magazine)
            let body = #"{"extendByDays":10,\#(Self.reason)}"#
            let answer = try await harness.api(
                .extendRenewalDate, bought.transactionId.rawValue, body: body, ExtendRenewalDateResponse.self)
            #expect(answer.effectiveDate == bought.expiresDate?.adding(days: 10))
            #expect(try await harness.notificationTypes().last == "RENEWAL_EXTENDED")
            try await harness.advance(days: 35)
            #expect(try await harness.completeHistory(bought.transactionId).transactions.count == 1)
            try await harness.advance(days: 5)
            #expect(try await harness.completeHistory(bought.transactionId).transactions.count == 2)
        }
    }

    @Test func `a mass extension extends and counts each subscription once, in several steps`() async throws {
        try await StoreHarness.run { harness in
            let count = 130
            for number in 0..<count { try await harness.buy(.magazine, for: AccountID("\(number)")) }
            try await harness.buy(.magazineWeekly, for: "weekly")
            _ = try await harness.api(.massExtendRenewalDates, body: Self.mass(), MassExtendRenewalDateResponse.self)
            let scope = APIScope(app: try harness.store.context.apps.require(.test), environment: .sandbox)
            let request = "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84"
            let before = try await harness.store.storeServices.extensions.massExtension(request, of: ProductID.magazine.rawValue, in: scope)
            #expect(before == MassExtendRenewalDateStatusResponse(requestIdentifier: request, complete: false))
            // The extension needs more than one step; the status is available between the steps.
            var after = try await Self.status(harness)
            #expect(!after.complete)
            after = try await Self.status(harness)
            #expect(after.complete && after.succeededCount == Int64(count) && after.failedCount == 0)
            #expect(after.completeDate == harness.store.clock.now)
            _ = try await harness.api(.massExtendRenewalDates, body: Self.mass(), MassExtendRenewalDateResponse.self)
            #expect(try await Self.status(harness) == after)
            let notificationTypes = try await harness.notificationTypes()
            #expect(notificationTypes.filter { $0 == "RENEWAL_EXTENDED" }.count == count)
            #expect(notificationTypes.filter { $0 == "RENEWAL_EXTENSION.SUMMARY" }.count == 1)
            await #expect(throws: ServerAPIRefusal(.statusRequestNotFound)) { try await Self.status(harness, in: .production) }
        }
    }

    @Test func `a requested mass extension completes before the time advances`() async throws {
        try await StoreHarness.run { harness in
            let bought = try await harness.signIn().buy(.magazine)
            let scope = APIScope(app: try harness.store.context.apps.require(.test), environment: .sandbox)
            _ = try await harness.store.storeServices.extensions.requestMassExtension(Data(Self.mass(30).utf8), in: scope)
            _ = try await harness.store.storeServices.time.advance(seconds: 40 * 86_400)
            #expect(try await harness.completeHistory(bought.transactionId).transactions.count == 1)
        }
    }
}
