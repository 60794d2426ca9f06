package import PurchaseModel

/// The identifier of a message that the store delivers to an account once.
///
/// The device stores the identifier only after the app has handled the message. A delivery that a crash interrupts is therefore
/// repeated.
package struct DeliveryID: Hashable, Sendable {
    /// The name of the message, which is equal for repeated deliveries.
    package let name: String
    /// The account to which the message is addressed.
    package let account: AccountID
}
