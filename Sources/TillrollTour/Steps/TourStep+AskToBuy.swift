import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProtocol
import StoreKit

extension TourStep {
    static let askToBuy = TourStep(number: 8, title: "A child asks to buy, and a parent approves") { stage in
        let (payment, notice) = try await askForMoonlight(stage)
        try expect("the charges before the approval", try await stage.charges(.child).count, 0)
        _ = try await stage.control(ControlEndpoints.decide, DecisionRequest(approve: true), ["payment": payment.rawValue])

        let phone = try await stage.launch(.childs)
        guard let transaction = await phone.transaction(of: MonkeyShopProduct.moonlight) else {
            throw TourFailure(expected: "the filter at the next launch", found: "nothing")
        }
        try expect("the queue", phone.device.paymentQueue.transactions.count, 0)
        let charges = try await stage.charges(.child)
        try expect("the charges after the approval", charges.map(\.transaction), [transaction])
        return Scene(
            app: "“\(notice)”; at the next launch the moonlight filter is on",
            evidence: "deferred payment \(payment), approved in the store; transaction \(transaction) charged once and finished"
        )
    }

    /// The first app session: the child requests the purchase, and the app is closed while the approval is pending.
    private static func askForMoonlight(_ stage: Stage) async throws -> (payment: PaymentID, notice: String) {
        let phone = try await stage.launch(.childs)
        let outcome = try await phone.buy(MonkeyShopProduct.moonlight)
        try expect("the outcome", outcome, .pending)
        let states = phone.device.paymentQueue.transactions.map(\.transactionState)
        try expect("the transaction's state", states, [.deferred])
        let pending = try await stage.control(ControlEndpoints.approvals, Empty()).pending
        guard let waiting = pending.first(where: { $0.account == StageAccount.child.request.account }) else {
            throw TourFailure(expected: "a payment that waits for a parent", found: "none")
        }
        return (waiting.payment, MonkeyShop.notice(of: outcome) ?? "")
    }
}
