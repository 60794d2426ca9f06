public import Foundation
import OpenStoreKit
import PurchaseModel
import Synchronization

/// A request to buy a product, with quantity and application username.
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

    /// Protected by a lock, because an ``SKMutablePayment`` may be changed while another thread reads it.
    let values = Mutex(Values())
    let keyed = KeyedValues()

    /// An empty payment, for subclasses.
    public override init() {}

    convenience init(_ values: Values) {
        self.init()
        self.values.withLock { $0 = values }
    }

    convenience init(_ record: PaymentRecord) {
        self.init(
            Values(
                identifier: record.productID.rawValue, quantity: record.quantity, username: record.username,
                simulatesAskToBuy: record.simulatesAskToBuy, discount: record.offer.flatMap { SKPaymentDiscount($0) },
                product: record.product
            )
        )
    }

    /// Creates a request to buy one unit of a product.
    public convenience init(product: SKProduct) {
        self.init(Values(identifier: product.productIdentifier, product: product.storeProduct))
    }

    /// The product.
    open var productIdentifier: String { keyed["productIdentifier"] ?? values.withLock { $0.identifier } }
    /// The quantity, from 1 to 10.
    open var quantity: Int { keyed["quantity"] ?? values.withLock { $0.quantity } }
    /// The customer of the developer's server; signed transactions return a UUID as `appAccountToken`.
    open var applicationUsername: String? { keyed["applicationUsername"] ?? values.withLock { $0.username } }
    /// Reserved; a payment with request data fails with `SKError.Code.unauthorizedRequestData`.
    open var requestData: Data? { keyed["requestData"] ?? values.withLock { $0.requestData } }
    /// Whether the payment needs a parent's approval regardless of the account; in tests only.
    open var simulatesAskToBuyInSandbox: Bool { keyed["simulatesAskToBuyInSandbox"] ?? values.withLock { $0.simulatesAskToBuy } }
    /// The promotional offer of the payment.
    open var paymentDiscount: SKPaymentDiscount? { keyed["paymentDiscount"] ?? values.withLock { $0.discount } }

    /// An immutable copy of the payment.
    open func copy(with zone: NSZone? = nil) -> Any {
        SKPayment(currentValues)
    }

    /// A mutable copy of the payment.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        SKMutablePayment(currentValues)
    }

    /// Whether another payment has equal properties.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKPayment else { return false }
        return self === other
            || (productIdentifier == other.productIdentifier && quantity == other.quantity
                && applicationUsername == other.applicationUsername && requestData == other.requestData
                && simulatesAskToBuyInSandbox == other.simulatesAskToBuyInSandbox && paymentDiscount == other.paymentDiscount)
    }

    /// A hash of product, quantity and application username.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(productIdentifier)
        hasher.combine(quantity)
        hasher.combine(applicationUsername)
        return hasher.finalize()
    }

    /// Sets the value of a property by its name, for tests.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }

    /// The values of the public properties, which subclasses may override.
    var currentValues: Values {
        Values(
            identifier: productIdentifier, quantity: quantity, username: applicationUsername, requestData: requestData,
            simulatesAskToBuy: simulatesAskToBuyInSandbox, discount: paymentDiscount, product: values.withLock { $0.product }
        )
    }
}
