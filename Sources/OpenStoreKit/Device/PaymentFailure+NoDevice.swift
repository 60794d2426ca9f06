extension PaymentFailure {
    /// The failure of a StoreKit call if no device is configured; the message states how to configure a device.
    package static var noDevice: PaymentFailure {
        var reason = "set a device with Device.use(_:), or set OPENSTOREKIT_STORE_URL, OPENSTOREKIT_BUNDLE_ID and OPENSTOREKIT_ROOTS."
        if case .failure(let error) = Device.environmentDevice { reason = error.description }
        return PaymentFailure(.clientInvalid, "No store is configured: \(reason)")
    }
}
