import OpenStoreKit

extension Device {
    /// The device's payment queue: what `SKPaymentQueue.default()` is where this device is the current one.
    package var paymentQueue: SKPaymentQueue { queue { SKPaymentQueue(callbacks: callbacks) } }
}
