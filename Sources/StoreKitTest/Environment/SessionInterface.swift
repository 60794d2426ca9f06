import OpenStoreKit
import PurchaseModel

/// The simulated user of a test session, who confirms every purchase and leaves other decisions to the test.
struct SessionInterface: StoreInterface {
    /// Returns nil, because an account is always signed in.
    func signIn() async -> Credentials? { nil }

    /// Confirms the payment.
    func confirm(_ sheet: ConfirmationSheet) async -> Bool { true }

    /// Requests the refund with the reason `other`.
    func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? { .other }
}
