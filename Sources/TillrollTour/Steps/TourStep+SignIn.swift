import Foundation
import FoundationInternationalization
import MonkeyShop
import OpenStoreKit
import PurchaseModel
import PurchaseProtocol
import StoreKit

extension TourStep {
    static let signIn = TourStep(number: 1, title: "A new phone signs in and loads the products") { tour in
        let phone = try await tour.launch(.first)
        let account = TourAccount.adult.request
        try await phone.device.signIn(Credentials(account: account.account, password: account.password))
        let listing = try await phone.shop.loadProducts()
        try expect("9 products in the server's list", listing.listed.count == 9, found: "\(listing.listed.count)")
        try expect("the number of products with a price", listing.products.count, 8)
        try expect("the invalid product IDs", listing.invalid, [MonkeyShopProduct.winterHat])
        let prices = listing.products.map { product in
            let price = product.price.decimalValue.formatted(.currency(code: "USD").locale(product.priceLocale))
            return "\(product.localizedTitle) at \(price)"
        }
        try expect("the price of 5 credits", listing[MonkeyShopProduct.credits5].map { "\($0.price)" }, "0.99")
        return StepResult(
            app: "8 products with prices, among them \(prices[0]) and \(prices[4]); the winter hat is not for sale",
            evidence: "account \(account.account), device \(phone.device.id); 9 product IDs from the server, 8 products in the store, "
                + "invalid: " + listing.invalid.map(\.rawValue).joined(separator: ", ")
        )
    }
}
