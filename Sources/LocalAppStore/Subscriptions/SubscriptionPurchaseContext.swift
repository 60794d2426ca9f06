import PurchaseModel

/// The payment for a new period, and the device that sent the payment.
struct SubscriptionPurchaseContext {
    var payment: PaymentRecord
    var device: DeviceID
    var appVersion: String
}
