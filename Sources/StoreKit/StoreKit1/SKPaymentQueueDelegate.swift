public import Foundation
public import OpenStoreKit

/// A delegate that decides whether the queue continues; both methods are optional, and a missing method means true.
///
/// The methods are called on the device's callback queue.
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Whether a payment continues after the storefront has changed.
    ///
    /// If false, the payment fails with `SKError.Code.storeProductNotAvailable`.
    func paymentQueue(_ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront)
        -> Bool
    /// Whether the price increase sheet is shown to the user now.
    ///
    /// If false, the app shows the sheet later with ``SKPaymentQueue/showPriceConsentIfNeeded()``.
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
