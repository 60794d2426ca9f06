package import PurchaseModel

/// The identifier of a message or a promoted in-app purchase that the app receives once.
///
/// The device stores the identifier only after the app has handled the message or purchase. A delivery that a crash interrupts is therefore
/// repeated.
package struct DeliveryID: Hashable, Sendable {
    /// The name of the message or purchase, which is the same for repeated deliveries, such as `promotion-12`.
    package let name: String
    /// The account that receives the message or purchase.
    package let account: AccountID
}
