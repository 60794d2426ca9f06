public import Foundation
public import OpenStoreKit

/// A delegate that decides whether the queue continues; both methods are optional, and a missing method means true.
///
/// Called on the device's callback queue.
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Whether a payment continues after the storefront has changed; false fails the payment with code 5.
    func paymentQueue(_ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront)
        -> Bool
    /// Whether the price increase sheet is shown to the user now.
    ///
    /// With no, the app shows it later with ``SKPaymentQueue/showPriceConsentIfNeeded()``.
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

extension SKPaymentQueueDelegate {
    /// Returns true.
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue,
        shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { true }

    /// Returns true.
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
    /// Asks the delegate whether a payment continues after the storefront has changed.
    public func callAsFunction(
        _ paymentQueue: SKPaymentQueue,
        shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        owner.paymentQueue(paymentQueue, shouldContinue: transaction, in: newStorefront)
    }
}
