extension PaymentFailure {
    /// StoreKit is used and no device was set.
    static var noDevice: PaymentFailure {
        PaymentFailure(.clientInvalid, "There is no store to ask: set a device with Device.use(_:) first.")
    }
}
