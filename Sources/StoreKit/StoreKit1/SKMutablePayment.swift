public import Foundation
import PurchaseModel
import Synchronization

/// A payment whose properties an app can change before it adds the payment to the queue, which stores a copy.
open class SKMutablePayment: SKPayment, @unchecked Sendable {
    /// The identifier of the product to purchase.
    open override var productIdentifier: String {
        get { super.productIdentifier }
        set {
            values.withLock { values in
                if values.product?.id.rawValue != newValue { values.product = nil }
                values.identifier = newValue
            }
        }
    }

    /// The number of units to purchase, from 1 to 10.
    open override var quantity: Int {
        get { super.quantity }
        set { values.withLock { $0.quantity = newValue } }
    }

    /// The identifier of the user in the developer's system.
    open override var applicationUsername: String? {
        get { super.applicationUsername }
        set { values.withLock { $0.username = newValue } }
    }

    /// Reserved data; a payment with request data fails with `SKError.Code.unauthorizedRequestData`.
    open override var requestData: Data? {
        get { super.requestData }
        set { values.withLock { $0.requestData = newValue } }
    }

    /// Whether the payment simulates Ask to Buy: it is pending until a parent approves it, whatever the account's settings.
    open override var simulatesAskToBuyInSandbox: Bool {
        get { super.simulatesAskToBuyInSandbox }
        set { values.withLock { $0.simulatesAskToBuy = newValue } }
    }

    /// The signed promotional offer to apply to the payment; nil for no offer.
    open override var paymentDiscount: SKPaymentDiscount? {
        get { super.paymentDiscount }
        set { values.withLock { $0.discount = newValue } }
    }
}
