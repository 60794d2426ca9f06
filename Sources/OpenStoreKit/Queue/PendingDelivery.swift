/// What the app is to be told, and the matter to be remembered when it has been.
package struct PendingDelivery<Value: Hashable & Sendable>: Hashable, Sendable {
    /// What it is told.
    package let value: Value
    /// Which matter that is.
    package let deliveryID: DeliveryID
}
