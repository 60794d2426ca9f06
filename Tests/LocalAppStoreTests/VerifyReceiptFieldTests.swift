import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

/// Tests of the fields and the order in `verifyReceipt` responses, and of methods other than POST.
@Suite struct VerifyReceiptFieldTests {
    @Test(arguments: [HTTPRequest.Method.get, .put, .patch, .delete, .options], ["", "/production", "/sandbox"])
    func `a method other than POST has status 21000`(_ method: HTTPRequest.Method, _ address: String) async throws {
        try await StoreHarness.run { harness in
            let response = try await harness.send(method, "\(address)/verifyReceipt")
            #expect(response.status == .ok)
            #expect(String(buffer: response.body) == #"{"status":21000}"#)
        }
    }

    @Test func `a free trial, a promotional offer and an offer code appear in their fields`() async throws {
        try await StoreHarness.run(storekit: OfferTests.storekit) { harness in
            let phone = try await harness.signIn()
            let trial = try await phone.buy(.magazine)
            let first = try #require(try await harness.verifyReceipt(try await phone.receipt()).latestReceiptInfo?.first)
            #expect(first.isTrialPeriod)
            #expect(first.isInIntroOfferPeriod == false)
            #expect(first.promotionalOfferID == nil)

            try await harness.perform(SubscriptionRequest(.expire), on: trial.transactionId)
            try await harness.buy(.magazine, offer: OfferChoice(kind: .promotional, id: "back"))
            let answer = try await harness.verifyReceipt(try await phone.receipt())
            #expect(answer.latestReceiptInfo?.map(\.promotionalOfferID) == ["back", nil])
            #expect(answer.latestReceiptInfo?.map(\.isTrialPeriod) == [false, true])
            #expect(answer.receipt?.inApp.compactMap(\.promotionalOfferID) == ["back"])

            let friend = try await harness.signIn("grace@example.com", device: .second)
            _ = try await OfferTests.buy(friend, OfferChoice(kind: .code, id: "FRIENDS"), PaymentID(UUID()))
            let other = try await harness.verifyReceipt(try await friend.receipt())
            #expect(other.latestReceiptInfo?.map(\.offerCodeRefName) == ["FRIENDS"])
            #expect(other.receipt?.inApp.map(\.offerCodeRefName) == [nil])
        }
    }

    @Test func `an upgrade ends the old period, and only latest_receipt_info has the appAccountToken`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let customer = CustomerID("3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84")
            let weekly = try await phone.buy(.magazineWeekly, customer: customer)
            try await harness.advance(days: 2)
            let monthly = try await phone.buy(.magazine)
            let answer = try await harness.verifyReceipt(try await phone.receipt())
            let latest = try #require(answer.latestReceiptInfo)
            #expect(latest.map(\.transactionID) == [monthly.transactionId, weekly.transactionId])
            #expect(latest.map(\.isUpgraded) == [false, true])
            #expect(latest.map(\.cancellationReason) == [nil, "0"])
            // `in_app` has cancellation reasons for refunds only.
            #expect(answer.receipt?.inApp.map(\.cancellationReason) == [nil, nil])
            #expect(latest.map(\.appAccountToken) == [customer, customer])
            #expect(answer.receipt?.inApp.map(\.appAccountToken) == [nil, nil])
            #expect(answer.pendingRenewalInfo?.map(\.autoRenewProductID) == [.magazine])
        }
    }

    @Test func `latest_receipt_info has the configured order`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            _ = try await phone.buy(.magazineWeekly)
            try await harness.advance(days: 7 * 12)
            let receipt = try await phone.receipt()
            var orders: [ReceiptInfoOrder: [TransactionID]] = [:]
            for order in ReceiptInfoOrder.allCases {
                var request = AppRequest()
                request.receiptOrder = order
                _ = try await harness.call(ControlEndpoints.setApp, request, ["bundle": BundleID.test.rawValue])
                orders[order] = try await harness.verifyReceipt(receipt).latestReceiptInfo?.map(\.transactionID)
            }
            let newest = try #require(orders[.descending])
            #expect(newest.count == 13)
            #expect(newest.map(\.rawValue) == newest.map(\.rawValue).sorted(by: >))
            #expect(orders[.ascending] == newest.reversed())
            let shuffled = try #require(orders[.shuffled])
            #expect(Set(shuffled) == Set(newest))
            #expect(shuffled != newest && shuffled != newest.reversed())
        }
    }
}
