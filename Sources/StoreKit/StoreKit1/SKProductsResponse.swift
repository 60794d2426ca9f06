public import Foundation

/// The store's response to a products request.
open class SKProductsResponse: NSObject, @unchecked Sendable {
    /// The products that the store sells; set once, before other threads can access the response.
    private var known: [SKProduct] = []
    /// The identifiers that the store does not know; set once, before other threads can access the response.
    private var unknown: [String] = []
    private let keyed = KeyedValues()

    /// Creates a response without products, for subclasses.
    public override init() {}

    convenience init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        self.init()
        known = products
        unknown = invalidProductIdentifiers
    }

    /// The requested products that the store sells, in unspecified order.
    open var products: [SKProduct] { keyed["products"] ?? known }
    /// The requested product identifiers that the store does not know.
    open var invalidProductIdentifiers: [String] { keyed["invalidProductIdentifiers"] ?? unknown }

    /// Overrides the value of the property with the name `key`, for tests; nil removes the override.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}
