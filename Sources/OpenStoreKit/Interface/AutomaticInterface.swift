public import PurchaseModel

/// A simulated user who always signs in with the same account, and confirms every payment, request and price increase.
public struct AutomaticInterface: StoreInterface {
    private let credentials: Credentials?

    /// Creates a simulated user; without credentials, every sign-in is canceled.
    public init(_ credentials: Credentials? = nil) {
        self.credentials = credentials
    }

    /// Returns the credentials of the simulated user; nil cancels the sign-in.
    public func signIn() async -> Credentials? { credentials }

    /// Confirms the payment.
    public func confirm(_ sheet: ConfirmationSheet) async -> Bool { true }

    /// Agrees to request a parent's approval.
    public func askPermission(_ sheet: ConfirmationSheet) async -> Bool { true }

    /// Consents to the price increase.
    public func consent(to sheet: PriceConsentSheet) async -> Bool? { true }

    /// Returns `other` as the reason for the refund request.
    public func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? { .other }
}
