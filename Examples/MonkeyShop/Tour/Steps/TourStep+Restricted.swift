import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreKit

extension TourStep {
    static let restricted = TourStep(number: 7, title: "Purchases are restricted on the phone") { tour in
        let phone = try await tour.launch(.first)
        let before = try await tour.charges(.adult)
        try await phone.device.change { $0.restrictsPayments = true }
        try expect("canMakePayments", phone.app.call(\.canBuy), false)
        let notice = phone.app.call(\.buttonsNotice)
        try expect("the notice above the buttons", notice, "Purchases are disabled on this device.")
        let listing = try await phone.app.run { shop async throws(MonkeyShopError) in try await shop.loadProducts() }
        try expect("the number of products with prices", listing.products.count, 11)
        let outcome = try await phone.buy(MonkeyShopProduct.moonlight)
        guard case .failed(let failure) = outcome else { throw TourFailure(expected: "a refused payment", found: "\(outcome)") }
        try expect("the kind of the failure", failure.kind, .purchaseNotAllowed)
        try expect("the charges", try await tour.charges(.adult), before)
        try await phone.device.change { $0.restrictsPayments = false }
        try expect("canMakePayments afterwards", phone.app.call(\.canBuy), true)
        return StepResult(
            app: "“\(notice ?? "")”; the buttons are disabled, and 11 prices are shown",
            evidence: "canMakePayments is false; a purchase fails: “\(failure.message) \(failure.advice)”, no charge"
        )
    }
}
