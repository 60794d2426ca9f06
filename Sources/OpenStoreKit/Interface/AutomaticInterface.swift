public import PurchaseModel

/// A simulated user who always signs in with the same account and confirms everything.
public struct AutomaticInterface: StoreInterface {
    private let credentials: Credentials?

    /// Creates a user; without credentials, every sign-in is canceled.
    public init(_ credentials: Credentials? = nil) {
        self.credentials = credentials
    }

    /// Returns the credentials.
    public func signIn() async -> Credentials? { credentials }

    /// Confirms the payment.
    public func confirm(_ sheet: ConfirmationSheet) async -> Bool { true }

    /// Agrees to request a parent's approval.
    public func askPermission(_ sheet: ConfirmationSheet) async -> Bool { true }

    /// Consents to the price increase.
    public func consent(to sheet: PriceConsentSheet) async -> Bool? { true }

    /// Requests the refund with the reason `other`.
    public func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? { .other }
}
