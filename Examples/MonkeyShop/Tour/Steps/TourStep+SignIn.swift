import Foundation
import FoundationInternationalization
import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreKit

extension TourStep {
    static let signIn = TourStep(number: 1, title: "A new phone signs in and loads the products") { tour in
        let phone = try await tour.launch(.first)
        try await phone.device.signIn(TourDevice.first.credentials)
        let listing = try await phone.app.run { shop async throws(MonkeyShopError) in try await shop.loadProducts() }
        try expect("the number of products with a price", listing.products.count, 11)
        try expect("the invalid product IDs", listing.unavailableProducts, [MonkeyShopProduct.winterHat])
        let prices = listing.products.map { product in
            "\(product.displayName) at \(product.displayPrice)"
        }
        try expect("the price of 5 credits", listing.product(MonkeyShopProduct.credits5)?.displayPrice, "$0.99")
        return StepResult(
            app: "11 products with prices, among them \(prices[0]) and \(prices[4]); the winter hat is not for sale",
            evidence:
                "account \(TourAccount.adult.id), device \(phone.device.id); 12 product IDs from the server, 11 products in the store, "
                + "invalid: " + listing.unavailableProducts.map(\.rawValue).joined(separator: ", ")
        )
    }
}
