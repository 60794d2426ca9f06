/// A message or a promoted in-app purchase that the app has not yet handled, with the identifier for acknowledging it.
package struct PendingDelivery<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value to deliver.
    package let value: Value
    /// The identifier that the device stores after the app has handled the value.
    package let deliveryID: DeliveryID
}
