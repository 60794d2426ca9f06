import Foundation
import FoundationInternationalization
import MonkeyShop
import OpenStoreKit
import PurchaseModel
import PurchaseProtocol
import StoreKit

extension TourStep {
    static let signIn = TourStep(number: 1, title: "A new phone signs in, and asks what there is to buy") { stage in
        let phone = try await stage.launch(.first)
        let account = StageAccount.grownUp.request
        try await phone.device.signIn(Credentials(account: account.account, password: account.password))
        let shelf = try await phone.shop.loadShelf()
        try expect("the server's list to have 9 products", shelf.listed.count == 9, found: "\(shelf.listed.count)")
        try expect("products with a price", shelf.products.count, 8)
        try expect("what the store does not sell", shelf.invalid, [MonkeyShopProduct.winterHat])
        let prices = shelf.products.map { product in
            let price = product.price.decimalValue.formatted(.currency(code: "USD").locale(product.priceLocale))
            return "\(product.localizedTitle) at \(price)"
        }
        try expect("the price of 5 credits", shelf[MonkeyShopProduct.credits5].map { "\($0.price)" }, "0.99")
        return Scene(
            app: "8 products with prices, among them \(prices[0]) and \(prices[4]); the winter hat is not sold yet",
            evidence: "account \(account.account), device \(phone.device.id); server listed 9 ids, store described 8, invalid: "
                + shelf.invalid.map(\.rawValue).joined(separator: ", ")
        )
    }
}
