import Foundation
import PurchaseModel
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing

@testable import OpenStoreKit

/// Purchases of a yearly subscription with monthly charges, through StoreKit 2 on a device.
@Suite struct BillingPlanPurchaseTests {
    private static let storekit = Data(
        """
        { "subscriptionGroups": [ { "id": "21A2B3C4", "name": "Club", "subscriptions": [
          { "productID": "club.year", "type": "RecurringSubscription", "displayPrice": "48.00", "recurringSubscriptionPeriod": "P1Y",
            "billingPlans": [ { "billingPlanType": "MONTHLY", "displayPrice": "5.00" } ],
            "localizations": [ { "displayName": "Club", "description": "", "locale": "en_US" } ] },
          { "productID": "club.month", "type": "RecurringSubscription", "displayPrice": "9.00", "recurringSubscriptionPeriod": "P1M" }
        ] } ], "version": { "major": 5, "minor": 0 } }
        """.utf8)

    private func withDevice(_ body: (Phone, Device) async throws -> Void) async throws {
        let phone = try await Phone(at: StoreHarness.start(storekit: Self.storekit))
        let device = try phone.launch()
        try await Device.$current.withValue(device) { try await body(phone, device) }
    }

    private func product(_ id: String) async throws -> Product {
        try #require(try await Product.products(for: [id]).first)
    }

    @Test func `the sheet and the transaction state the commitment, and its cancellation leaves the next charge`() async throws {
        try await withDevice { phone, device in
            let club = try await product("club.year")
            #expect(club.subscription?.pricingTerms.map(\.billingPlanType) == [.upFront, .monthly])
            let result = try await club.purchase(options: [.billingPlanType(.monthly)])
            guard case .success(.verified(let transaction)) = result else {
                Issue.record("\(result)")
                return
            }
            let sheet = try #require(phone.user.sheets.first)
            #expect(sheet.text == "Buy Club for $5.00 a month, with a commitment of 12 months, $60.00 in all?")
            #expect(transaction.billingPlanType == .monthly && transaction.price == 5)
            #expect(transaction.commitmentInfo?.billingPeriodNumber == 1 && transaction.commitmentInfo?.price == 60)
            #expect(try await phone.charges.map(\.amount.milliunits) == [5_000])

            let group = try #require(club.subscription?.subscriptionGroupID)
            _ = try await phone.harness.perform(SubscriptionRequest(.disableAutoRenew), on: TransactionID("\(transaction.id)"))
            try await device.synchronize()
            let status = try #require(try await Product.SubscriptionInfo.status(for: group).first)
            let info = status.renewalInfo.unsafePayloadValue
            #expect(info.willAutoRenew && info.commitmentInfo?.willAutoRenew == false)
            #expect(info.renewalBillingPlanType == .monthly)
        }
    }

    @Test func `a billing plan that the product lacks, or that StoreKit does not know, is not sold`() async throws {
        try await withDevice { phone, _ in
            let month = try await product("club.month")
            await #expect(throws: Product.PurchaseError.productUnavailable) {
                try await month.purchase(options: [.billingPlanType(.monthly)])
            }
            await #expect(throws: Product.PurchaseError.productUnavailable) {
                try await month.purchase(options: [.billingPlanType(.init(rawValue: "WEEKLY"))])
            }
            #expect(try await phone.charges.isEmpty)
        }
    }
}
