import OpenStoreKit
import PurchaseModel

/// The user of a test session: confirms every purchase, and leaves to the test what the test decides.
struct SessionInterface: StoreInterface {
    /// Somebody is signed in always.
    func signIn() async -> Credentials? { nil }

    /// Confirms.
    func confirm(_ sheet: ConfirmationSheet) async -> Bool { true }

    /// Wants the money back.
    func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? { .other }
}
