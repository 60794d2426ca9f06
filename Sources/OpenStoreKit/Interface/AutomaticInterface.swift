public import PurchaseModel

/// A user who signs in with the same account always and confirms everything.
public struct AutomaticInterface: StoreInterface {
    private let credentials: Credentials?

    /// Creates a user; without credentials, every sign-in is cancelled.
    public init(_ credentials: Credentials? = nil) {
        self.credentials = credentials
    }

    /// Signs in.
    public func signIn() async -> Credentials? { credentials }

    /// Confirms.
    public func confirm(_ sheet: ConfirmationSheet) async -> Bool { true }

    /// Has the parent asked.
    public func askPermission(_ sheet: ConfirmationSheet) async -> Bool { true }

    /// Agrees.
    public func consent(to sheet: PriceConsentSheet) async -> Bool? { true }

    /// Gives no reason, and wants the money back.
    public func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? { .other }
}
