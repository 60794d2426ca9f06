import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreControl
import StoreKit

extension TourStep {
    static let askToBuy = TourStep(number: 8, title: "A child's purchase is pending in Ask to Buy; a parent approves") { tour in
        let (payment, notice) = try await requestMoonlight(tour)
        try expect("the charges before the approval", try await tour.charges(.child).count, 0)
        try await tour.control.approve(payment)

        let phone = try await tour.launch(.child)
        guard let transaction = await phone.transaction(of: MonkeyShopProduct.moonlight) else {
            throw TourFailure(expected: "the moonlight filter at the next launch", found: "no filter")
        }
        try expect("the queue", phone.app.paymentQueue.transactions.count, 0)
        let charges = try await tour.charges(.child)
        try expect("the charges after the approval", charges.map(\.transactionID), [transaction])
        return StepResult(
            app: "“\(notice)”; at the next launch the moonlight filter is unlocked",
            evidence: "deferred payment \(payment), approved in the store; transaction \(transaction) charged once and finished"
        )
    }

    /// Requests the purchase in a first app session of the child, and returns the pending payment and the app's notice.
    private static func requestMoonlight(_ tour: TourEnvironment) async throws -> (payment: PaymentID, notice: String) {
        let phone = try await tour.launch(.child)
        let outcome = try await phone.buy(MonkeyShopProduct.moonlight)
        try expect("the outcome", outcome, .pending)
        let waiting = await phone.shop.purchases.state.pending
        try expect("the pending purchases", waiting.map(\.productID), [MonkeyShopProduct.moonlight])
        let pending = try await tour.control.approvals()
        guard let approval = pending.first(where: { $0.account == TourAccount.child.id }) else {
            throw TourFailure(expected: "a payment pending in Ask to Buy", found: "none")
        }
        return (approval.payment, MonkeyShop.notice(of: outcome) ?? "")
    }
}
