public import Foundation

/// The products that the store sells, and the identifiers that it does not know.
open class SKProductsResponse: NSObject, @unchecked Sendable {
    /// Set once, before other threads can access the response.
    private var known: [SKProduct] = []
    /// Set once, before other threads can access the response.
    private var unknown: [String] = []
    private let keyed = KeyedValues()

    /// Creates an empty response, for subclasses.
    public override init() {}

    convenience init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        self.init()
        known = products
        unknown = invalidProductIdentifiers
    }

    /// The known products, in unspecified order.
    open var products: [SKProduct] { keyed["products"] ?? known }
    /// The identifiers that the store does not know.
    open var invalidProductIdentifiers: [String] { keyed["invalidProductIdentifiers"] ?? unknown }

    /// Sets the value of a property by its name, for tests.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}
