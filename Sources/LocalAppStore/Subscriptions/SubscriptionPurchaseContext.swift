import PurchaseModel

/// The payment that starts a new subscription period, with the device and the app version that sent it.
struct SubscriptionPurchaseContext {
    var payment: PaymentRecord
    var device: DeviceID
    var appVersion: String
}
