public import Foundation
public import OpenStoreKit

/// A delegate that decides about storefront changes during a payment, and about price consent sheets.
///
/// Both methods are optional, and their default implementations return true. They are called on a serial queue of the `Device`.
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Asks the delegate whether a payment continues after the storefront of the account has changed.
    ///
    /// - Returns: Whether the payment continues. If false, the payment fails with `SKError.Code.storeProductNotAvailable`.
    func paymentQueue(_ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront)
        -> Bool
    /// Asks the delegate whether the queue shows the price consent sheet now.
    ///
    /// - Returns: Whether the queue shows the sheet. If false, show it later with ``SKPaymentQueue/showPriceConsentIfNeeded()``.
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

extension SKPaymentQueueDelegate {
    /// Returns true, so that payments continue after a storefront change.
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue,
        shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { true }

    /// Returns true, so that the queue shows the price consent sheet at once.
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { true }
}

extension SKPaymentQueueDelegate {
    /// Supports calls such as `delegate.paymentQueue?(queue, shouldContinue: transaction, in: storefront)`; never nil.
    @_disfavoredOverload
    public var paymentQueue: OptionalMethod<any SKPaymentQueueDelegate>? { OptionalMethod(owner: self) }
    /// Supports calls such as `delegate.paymentQueueShouldShowPriceConsent?(queue)`; never nil.
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
