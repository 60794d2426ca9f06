public import Foundation
import PurchaseModel

/// A wish to buy: which product, how many, and for whom.
open class SKPayment: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    var storeProduct: StoreProduct?
    var storedIdentifier: String
    var storedQuantity: Int
    var storedUsername: String?

    init(identifier: String, quantity: Int, username: String?, product: StoreProduct?) {
        storedIdentifier = identifier
        storedQuantity = quantity
        storedUsername = username
        storeProduct = product
    }

    /// A wish to buy one of a product.
    public convenience init(product: SKProduct) {
        self.init(identifier: product.productIdentifier, quantity: 1, username: nil, product: product.description_)
    }

    /// The product.
    open var productIdentifier: String { storedIdentifier }
    /// How many, from 1 to 10.
    open var quantity: Int { storedQuantity }
    /// The customer at the developer's own server; a UUID comes back as `appAccountToken`.
    open var applicationUsername: String? { storedUsername }

    /// The payment itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any {
        SKPayment(identifier: storedIdentifier, quantity: storedQuantity, username: storedUsername, product: storeProduct)
    }

    /// A payment that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        SKMutablePayment(identifier: storedIdentifier, quantity: storedQuantity, username: storedUsername, product: storeProduct)
    }
}
