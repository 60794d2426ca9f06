import Synchronization

/// A payment that can be changed until it is added to the queue, which takes a copy.
open class SKMutablePayment: SKPayment, @unchecked Sendable {
    /// An empty payment.
    public convenience init() {
        self.init(Values())
    }

    /// The product.
    open override var productIdentifier: String {
        get { super.productIdentifier }
        set {
            values.withLock { values in
                values.identifier = newValue
                values.product = nil
            }
        }
    }

    /// How many, from 1 to 10.
    open override var quantity: Int {
        get { super.quantity }
        set { values.withLock { $0.quantity = newValue } }
    }

    /// The customer at the developer's own server.
    open override var applicationUsername: String? {
        get { super.applicationUsername }
        set { values.withLock { $0.username = newValue } }
    }
}
