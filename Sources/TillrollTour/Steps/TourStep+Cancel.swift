import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreKit

extension TourStep {
    static let cancel = TourStep(number: 3, title: "Cancels a purchase") { stage in
        let phone = try await stage.launch(.first)
        let before = try await stage.charges(.grownUp)
        let witness = TransactionWitness()
        phone.device.paymentQueue.add(witness)
        phone.user.script(confirmations: [false])
        let outcome = try await phone.buy(MonkeyShopProduct.credits10)
        try expect("the outcome", outcome, .cancelled)
        try expect("the transaction's error", witness.lastError, "SKErrorDomain 2")
        try expect("the message", MonkeyShop.notice(of: outcome), nil)
        let after = try await stage.charges(.grownUp)
        try expect("the charges", after, before)
        try expect("the queue", phone.device.paymentQueue.transactions.count, 0)
        return Scene(
            app: "The sheet closes; no message",
            evidence:
                "\(witness.lastError ?? ""), cancelled; nothing charged, \(after.count) in all before and after; the failed transaction was finished"
        )
    }
}
