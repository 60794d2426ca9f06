public import Foundation
import PurchaseModel
import Synchronization

/// A wish to buy: which product, how many, and for whom.
open class SKPayment: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    struct Values: Sendable {
        var identifier = ""
        var quantity = 1
        var username: String?
        var product: StoreProduct?
    }

    /// Behind a lock, because ``SKMutablePayment`` is a payment and may be changed while another thread reads it.
    let values: Mutex<Values>

    init(_ values: Values) {
        self.values = Mutex(values)
    }

    convenience init(_ record: PaymentRecord) {
        self.init(
            Values(identifier: record.productID.rawValue, quantity: record.quantity, username: record.username, product: record.product)
        )
    }

    /// A wish to buy one of a product.
    public convenience init(product: SKProduct) {
        self.init(Values(identifier: product.productIdentifier, product: product.storeProduct))
    }

    /// The product.
    open var productIdentifier: String { values.withLock { $0.identifier } }
    /// How many, from 1 to 10.
    open var quantity: Int { values.withLock { $0.quantity } }
    /// The customer at the developer's own server; a UUID comes back as `appAccountToken`.
    open var applicationUsername: String? { values.withLock { $0.username } }

    /// A payment that does not change.
    open func copy(with zone: NSZone? = nil) -> Any {
        SKPayment(values.withLock { $0 })
    }

    /// A payment that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        SKMutablePayment(values.withLock { $0 })
    }
}
