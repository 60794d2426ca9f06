public import Foundation
public import OpenStoreKit

/// Who is asked before the queue goes on; both questions are optional, and whoever leaves one out says yes.
///
/// Called on the device's callback queue.
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Whether a payment goes on although the account buys in another country's store now; no ends it with code 5.
    func paymentQueue(_ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront)
        -> Bool
    /// Whether the user is shown now that a subscription gets dearer.
    ///
    /// With no, the app shows it later with ``SKPaymentQueue/showPriceConsentIfNeeded()``.
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

extension SKPaymentQueueDelegate {
    /// Says yes.
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue,
        shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { true }

    /// Says yes.
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { true }
}

extension SKPaymentQueueDelegate {
    /// The method, for calls with `?`; never nil.
    @_disfavoredOverload
    public var paymentQueue: OptionalMethod<any SKPaymentQueueDelegate>? { OptionalMethod(owner: self) }
    /// The method, for calls with `?`; never nil.
    @_disfavoredOverload
    public var paymentQueueShouldShowPriceConsent: ((SKPaymentQueue) -> Bool)? { { self.paymentQueueShouldShowPriceConsent($0) } }
}

extension OptionalMethod where Owner == any SKPaymentQueueDelegate {
    /// Asks the delegate whether a payment goes on in another country's store.
    public func callAsFunction(
        _ paymentQueue: SKPaymentQueue,
        shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        owner.paymentQueue(paymentQueue, shouldContinue: transaction, in: newStorefront)
    }
}
