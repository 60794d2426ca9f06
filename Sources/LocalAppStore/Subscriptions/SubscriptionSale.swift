import PurchaseModel

/// The payment behind a new period, and the device that it came from.
struct SubscriptionSale {
    var payment: PaymentRecord
    var device: DeviceID
    var appVersion: String
}
