import OpenStoreKit

extension Device {
    /// The device's payment queue, which `SKPaymentQueue.default()` returns where this device is the current one.
    package var paymentQueue: SKPaymentQueue { queue { SKPaymentQueue(callbacks: callbacks) } }
}
