/// A payment that can be changed until it is added to the queue, which takes a copy.
open class SKMutablePayment: SKPayment, @unchecked Sendable {
    /// An empty payment.
    public convenience init() {
        self.init(identifier: "", quantity: 1, username: nil, product: nil)
    }

    /// The product.
    open override var productIdentifier: String {
        get { storedIdentifier }
        set {
            storedIdentifier = newValue
            storeProduct = nil
        }
    }

    /// How many, from 1 to 10.
    open override var quantity: Int {
        get { storedQuantity }
        set { storedQuantity = newValue }
    }

    /// The customer at the developer's own server.
    open override var applicationUsername: String? {
        get { storedUsername }
        set { storedUsername = newValue }
    }
}
