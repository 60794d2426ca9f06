import OpenStoreKit
import PurchaseModel

/// The simulated user of a test session, who confirms every purchase and requests refunds for the reason `other`.
struct SessionInterface: StoreInterface {
    /// Returns nil, because a test session always has a signed-in account.
    func signIn() async -> Credentials? { nil }

    /// Returns true, which confirms the payment.
    func confirm(_ sheet: ConfirmationSheet) async -> Bool { true }

    /// Returns the reason `other`, with which the refund is requested.
    func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? { .other }
}
