package import PurchaseModel

/// Something of which the store wants an account's user to hear once.
///
/// It is remembered when the app has dealt with it and not before: what a crash interrupts is told again.
package struct DeliveryID: Hashable, Sendable {
    /// The same for the same matter.
    package let name: String
    /// Whose matter it is.
    package let account: AccountID
}
