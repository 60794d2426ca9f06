import LocalAppStore
import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import ServerProtocol
import StoreKit
import StoreProtocol

extension TourStep {
    static let withoutToken = TourStep(number: 13, title: "A purchase on the App Store has no token; the device proves it") { tour in
        let filter = MonkeyShopProduct.moonlight
        let request = BuyRequest(account: TourAccount.adult.request.account, productID: filter)
        let reply = try await tour.control(ControlEndpoints.buy, request)
        guard case .purchased(let signed, _) = reply else { throw TourFailure(expected: "a purchase", found: "\(reply)") }
        try await tour.store.deliverNotifications()
        let unproven = try await tour.callServer(
            ServerEndpoints.purchases, SubmitPurchasesRequest(proofs: [PurchaseProofInput(signedTransaction: signed)])
        ).results.first
        try expect("the result without a proof of the device", unproven?.purchases.first?.fulfillment, .unattributed)

        let phone = try await tour.launch(.first)
        // A device that signs in for the first time receives the purchase from the queue, and another one by the restore.
        guard case .completed = await phone.shop.restore([filter]) else {
            throw TourFailure(expected: "a restore", found: "another outcome")
        }
        await phone.shop.waitUntilIdle()
        guard await phone.transaction(of: filter) != nil else { throw TourFailure(expected: "the filter", found: "no filter") }
        try expect("the number of transactions in the queue", phone.device.paymentQueue.transactions.count, 0)
        let entitlement = try await phone.shop.entitlement(to: filter)
        try expect("the entitlement", entitlement.isActive, true)
        return StepResult(
            app: "After a restore the moonlight filter is on",
            evidence: "transaction without appAccountToken: unattributed, until the device sends its deviceVerificationID; "
                + "entitlement: \(entitlement.state.rawValue) (\(entitlement.reason)); finished"
        )
    }
}
