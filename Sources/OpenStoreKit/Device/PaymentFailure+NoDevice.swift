extension PaymentFailure {
    /// The failure of a StoreKit call without a device; its message names the configuration to set.
    package static var noDevice: PaymentFailure {
        var reason = "set a device with Device.use(_:), or OPENSTOREKIT_STORE_URL and what belongs to it."
        if case .failure(let error) = Device.ofProcess { reason = error.description }
        return PaymentFailure(.clientInvalid, "There is no store to ask: \(reason)")
    }
}
