import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreKit

extension TourStep {
    static let cancel = TourStep(number: 3, title: "Cancels a purchase") { tour in
        let phone = try await tour.launch(.first)
        let before = try await tour.charges(.adult)
        phone.user.script(confirmations: [false])
        let outcome = try await phone.buy(MonkeyShopProduct.credits10)
        try expect("the outcome", outcome, .canceled)
        try expect("the message", MonkeyShop.notice(of: outcome), nil)
        let after = try await tour.charges(.adult)
        try expect("the charges", after, before)
        try expect("the queue", phone.app.paymentQueue.transactions.count, 0)
        return StepResult(
            app: "The sheet closes; the app shows no message",
            evidence: "outcome: \(outcome); no charge (\(after.count) before and after); no transaction in the queue"
        )
    }
}
