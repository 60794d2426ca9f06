extension PaymentFailure {
    /// The failure of a StoreKit call without a device; its message names the configuration to set.
    package static var noDevice: PaymentFailure {
        var reason = "set a device with Device.use(_:), or set OPENSTOREKIT_STORE_URL, OPENSTOREKIT_BUNDLE_ID and OPENSTOREKIT_ROOTS."
        if case .failure(let error) = Device.environmentDevice { reason = error.description }
        return PaymentFailure(.clientInvalid, "No store is configured: \(reason)")
    }
}
