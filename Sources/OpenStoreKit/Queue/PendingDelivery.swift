/// A value that the app has not yet received, with the message identifier to remember after the delivery.
package struct PendingDelivery<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value to deliver.
    package let value: Value
    /// The message identifier.
    package let deliveryID: DeliveryID
}
