public import Foundation
import OpenStoreKit
import PurchaseModel
import Synchronization

/// A request to purchase a product, with a quantity and an application username.
///
/// Two payments are equal when their properties are equal.
open class SKPayment: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    struct Values: Sendable {
        var identifier = ""
        var quantity = 1
        var username: String?
        var requestData: Data?
        var simulatesAskToBuy = false
        var discount: SKPaymentDiscount?
        var product: StoreProduct?
    }

    /// The values of the payment, with a lock because an app may change an ``SKMutablePayment`` while another thread reads it.
    let values = Mutex(Values())
    let keyed = KeyedValues()

    /// Creates a payment with default values, for subclasses.
    public override init() {}

    convenience init(_ values: Values) {
        self.init()
        self.values.withLock { $0 = values }
    }

    convenience init(_ record: PaymentQueueRecord) {
        self.init(
            Values(
                identifier: record.productID.rawValue, quantity: record.quantity, username: record.username,
                simulatesAskToBuy: record.simulatesAskToBuy, discount: record.offer.flatMap { SKPaymentDiscount($0) },
                product: record.product
            )
        )
    }

    /// Creates a request to purchase one unit of a product.
    public convenience init(product: SKProduct) {
        self.init(Values(identifier: product.productIdentifier, product: product.storeProduct))
    }

    /// The identifier of the product to purchase.
    open var productIdentifier: String { keyed["productIdentifier"] ?? values.withLock { $0.identifier } }
    /// The number of units to purchase, from 1 to 10.
    open var quantity: Int { keyed["quantity"] ?? values.withLock { $0.quantity } }
    /// The identifier of the user in the developer's system.
    ///
    /// If the identifier is a UUID, signed transactions contain it as `appAccountToken`.
    open var applicationUsername: String? { keyed["applicationUsername"] ?? values.withLock { $0.username } }
    /// Reserved data; a payment with request data fails with `SKError.Code.unauthorizedRequestData`.
    open var requestData: Data? { keyed["requestData"] ?? values.withLock { $0.requestData } }
    /// Whether the payment simulates Ask to Buy: it is pending until a parent approves it, whatever the account's settings.
    open var simulatesAskToBuyInSandbox: Bool { keyed["simulatesAskToBuyInSandbox"] ?? values.withLock { $0.simulatesAskToBuy } }
    /// The signed promotional offer to apply to the payment; nil for no offer.
    open var paymentDiscount: SKPaymentDiscount? { keyed["paymentDiscount"] ?? values.withLock { $0.discount } }

    /// Returns an immutable copy of the payment.
    open func copy(with zone: NSZone? = nil) -> Any {
        SKPayment(currentValues)
    }

    /// Returns a mutable copy of the payment.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        SKMutablePayment(currentValues)
    }

    /// Returns whether another object is a payment with equal properties.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKPayment else { return false }
        return self === other
            || (productIdentifier == other.productIdentifier && quantity == other.quantity
                && applicationUsername == other.applicationUsername && requestData == other.requestData
                && simulatesAskToBuyInSandbox == other.simulatesAskToBuyInSandbox && paymentDiscount == other.paymentDiscount)
    }

    /// A hash value of the product identifier, the quantity and the application username.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(productIdentifier)
        hasher.combine(quantity)
        hasher.combine(applicationUsername)
        return hasher.finalize()
    }

    /// Overrides the value of the property with the name `key`, for tests; nil removes the override.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }

    /// The values that the public properties return now, because subclasses may override the properties.
    var currentValues: Values {
        Values(
            identifier: productIdentifier, quantity: quantity, username: applicationUsername, requestData: requestData,
            simulatesAskToBuy: simulatesAskToBuyInSandbox, discount: paymentDiscount, product: values.withLock { $0.product }
        )
    }
}
