import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreKit

extension TourStep {
    static let restricted = TourStep(number: 7, title: "Purchases are restricted on the phone") { stage in
        let phone = try await stage.launch(.first)
        let before = try await stage.charges(.grownUp)
        try phone.device.change { $0.restrictsPayments = true }
        try expect("canMakePayments", phone.shop.canBuy, false)
        let notice = phone.shop.buttonsNotice
        try expect("the notice over the buttons", notice, "AppStore disabled")
        let shelf = try await phone.shop.loadShelf()
        try expect("products with prices all the same", shelf.products.count, 8)
        let outcome = try await phone.buy(MonkeyShopProduct.moonlight)
        guard case .failed(let domain, let code, _) = outcome else {
            throw TourFailure(expected: "the payment to be refused", found: "\(outcome)")
        }
        try expect("the error", "\(domain) \(code)", "SKErrorDomain 4")
        try expect("the charges", try await stage.charges(.grownUp), before)
        try phone.device.change { $0.restrictsPayments = false }
        try expect("canMakePayments afterwards", phone.shop.canBuy, true)
        return Scene(
            app: "“\(notice ?? "")”: the buttons are off, 8 prices are still shown",
            evidence: "canMakePayments false; a payment added all the same failed with \(domain) \(code) (paymentNotAllowed), "
                + "nothing charged"
        )
    }
}
