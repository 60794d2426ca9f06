import Foundation
import PurchaseModel
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import OpenStoreKit

/// Purchases of seats through StoreKit 2 on a device.
@Suite struct SeatPurchaseTests {
    private func withDevice(_ body: (Phone, Device) async throws -> Void) async throws {
        let phone = try await Phone(at: StoreHarness.start(storekit: Data(SeatCatalog.storekit().utf8)))
        let device = try phone.launch()
        try await Device.$current.withValue(device) { try await body(phone, device) }
    }

    private func product(_ id: String) async throws -> Product {
        try #require(try await Product.products(for: [id]).first)
    }

    private func buy(_ seats: Int, of product: Product) async throws -> StoreKit.Transaction? {
        if case .success(.verified(let transaction)) = try await product.purchase(options: [.seats(seats)]) { transaction } else { nil }
    }

    @Test func `the product states the prices of seats, and the sheet and the transaction state the purchase`() async throws {
        try await withDevice { phone, device in
            let team = try await product("team.monthly")
            #expect(team.supportsMultiSeatPurchase)
            guard case .seatBased(let pricing)? = team.subscription?.pricingTerms.last?.pricingModel else {
                Issue.record("The terms state no prices of seats.")
                return
            }
            #expect(pricing.priceTiers.map(\.minimumSeats) == [1, 4] && pricing.priceTiers.map(\.maximumSeats) == [3, nil])
            #expect(pricing.priceTiers.map(\.billingInfo.price) == [12, 9])
            let bought = try #require(try await buy(5, of: team))
            #expect(phone.user.sheets.first?.text == "Buy Team with 5 seats, $54.00 per period?")
            #expect(bought.purchasedQuantity == 5 && bought.multiSeatInfo?.priceTiers.map(\.quantity) == [3, 2])
            #expect(bought.multiSeatInfo?.invitationManagement == .apple && bought.additionalTransactionReason == nil)

            let added = try #require(try await buy(7, of: team))
            #expect(added.purchasedQuantity == 2 && added.additionalTransactionReason == .seatAddition)
            try await device.synchronize()
            let group = try #require(team.subscription?.subscriptionGroupID)
            let info = try #require(try await Product.SubscriptionInfo.status(for: group).first).renewalInfo.unsafePayloadValue
            #expect(info.renewalQuantity == 7 && info.multiSeatInfo?.renewalPriceTiers.map(\.quantity) == [3, 4])
        }
    }

    @Test func `fewer seats than before, and seats of another product, are not sold`() async throws {
        try await withDevice { phone, _ in
            let team = try await product("team.monthly")
            _ = try await buy(3, of: team)
            await #expect(throws: Product.PurchaseError.seatReductionNotAllowed) { try await buy(2, of: team) }
            await #expect(throws: Product.PurchaseError.invalidQuantity) { try await buy(0, of: team) }
            let solo = try await product("solo.monthly")
            #expect(!solo.supportsMultiSeatPurchase)
            await #expect(throws: Product.PurchaseError.multiSeatPurchaseDisabled) { try await buy(2, of: solo) }
            #expect(try await phone.charges.map(\.amount.milliunits) == [36_000])
        }
    }

    @Test func `a member of a group is entitled by an assigned transaction until the seat is taken away`() async throws {
        try await withDevice { phone, device in
            try await AppStore.sync()
            let reply = try await phone.harness.call(
                ControlEndpoints.buy, BuyRequest(account: "owner", productID: "team.monthly", seats: 2))
            guard case .purchased(let signed, _) = reply else { return }
            let id = try await phone.harness.payloads([signed])[0].transactionId.rawValue
            _ = try await phone.harness.call(ControlEndpoints.addSeatMember, SeatMemberRequest(account: phone.account), ["transaction": id])
            try await device.synchronize()
            let entitlement = try #require(await Transaction.latest(for: "team.monthly")?.unsafePayloadValue)
            #expect(entitlement.ownershipType == .assigned && entitlement.revocationDate == nil)
            _ = try await phone.harness.call(
                ControlEndpoints.removeSeatMember, Empty(), ["transaction": id, "account": phone.account.rawValue])
            try await device.synchronize()
            let revoked = try #require(await Transaction.latest(for: "team.monthly")?.unsafePayloadValue)
            #expect(revoked.revocationType == .assignmentRevocation)
        }
    }
}
