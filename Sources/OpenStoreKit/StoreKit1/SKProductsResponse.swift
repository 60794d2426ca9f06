public import Foundation

/// The products that the store sells, and the identifiers that it does not know.
open class SKProductsResponse: NSObject, @unchecked Sendable {
    private let storedProducts: [SKProduct]
    private let storedInvalid: [String]

    /// Creates an empty answer, for subclasses.
    public override init() {
        storedProducts = []
        storedInvalid = []
    }

    init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        storedProducts = products
        storedInvalid = invalidProductIdentifiers
    }

    /// The known products, in no promised order.
    open var products: [SKProduct] { storedProducts }
    /// The identifiers that the store does not know.
    open var invalidProductIdentifiers: [String] { storedInvalid }
}
