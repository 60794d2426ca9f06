public import Foundation
import PurchaseModel
import Synchronization

/// A mutable payment; the queue adds a copy.
open class SKMutablePayment: SKPayment, @unchecked Sendable {
    /// The product.
    open override var productIdentifier: String {
        get { super.productIdentifier }
        set {
            values.withLock { values in
                if values.product?.id.rawValue != newValue { values.product = nil }
                values.identifier = newValue
            }
        }
    }

    /// The quantity, from 1 to 10.
    open override var quantity: Int {
        get { super.quantity }
        set { values.withLock { $0.quantity = newValue } }
    }

    /// The customer of the developer's server.
    open override var applicationUsername: String? {
        get { super.applicationUsername }
        set { values.withLock { $0.username = newValue } }
    }

    /// Reserved; a payment with request data fails with `SKError.Code.unauthorizedRequestData`.
    open override var requestData: Data? {
        get { super.requestData }
        set { values.withLock { $0.requestData = newValue } }
    }

    /// Whether the payment needs a parent's approval regardless of the account; in tests only.
    open override var simulatesAskToBuyInSandbox: Bool {
        get { super.simulatesAskToBuyInSandbox }
        set { values.withLock { $0.simulatesAskToBuy = newValue } }
    }

    /// The promotional offer of the payment.
    open override var paymentDiscount: SKPaymentDiscount? {
        get { super.paymentDiscount }
        set { values.withLock { $0.discount = newValue } }
    }
}
