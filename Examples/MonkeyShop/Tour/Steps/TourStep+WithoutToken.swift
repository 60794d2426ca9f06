import LocalAppStore
import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import StoreControl
import StoreKit

extension TourStep {
    static let withoutToken = TourStep(number: 13, title: "A purchase without an appAccountToken is proven by the device") { tour in
        let filter = MonkeyShopProduct.moonlight
        let bought = try await tour.control.buy(filter, for: TourAccount.adult.id)
        guard let signed = bought.signedTransaction else { throw TourFailure(expected: "a purchase", found: "\(bought)") }
        try await tour.store.deliverNotifications()
        let unproven = try await tour.client.submit(signed)
        try expect("the result without a proof of the device", unproven?.purchases.first?.fulfillment, "unattributed")

        let phone = try await tour.launch(.first)
        // Restore the purchase, because only a device that signs in for the first time receives the purchase from the queue.
        guard case .completed = await phone.restore([filter]) else {
            throw TourFailure(expected: "a restore", found: "another outcome")
        }
        guard await phone.transaction(of: filter) != nil else { throw TourFailure(expected: "the filter", found: "no filter") }
        try expect("the number of transactions in the queue", phone.app.paymentQueue.transactions.count, 0)
        let entitlement = try await tour.client.entitlement(filter.rawValue)
        try expect("the entitlement", entitlement.isActive, true)
        return StepResult(
            app: "After a restore the moonlight filter is unlocked",
            evidence: "transaction without appAccountToken: unattributed, until the device sends its deviceVerificationID; "
                + "entitlement: \(entitlement.state.rawValue) (\(entitlement.reason)); finished"
        )
    }
}
