import OpenStoreKit

extension Device {
    /// The device's payment queue, which `SKPaymentQueue.default()` returns while this device is the current device.
    package var paymentQueue: SKPaymentQueue { queue { SKPaymentQueue(callbacks: callbacks) } }
}
