public import PurchaseModel

/// Shows the store's sheets and prompts to the user, as the system does on Apple's platforms.
///
/// The answers come from a person, a script or default implementations. A call may take any time; nil or false means that the user
/// canceled. Only ``signIn()`` and ``confirm(_:)`` have no default implementation.
public protocol StoreInterface: Sendable {
    /// Asks for an account and its password; returns nil if the user cancels.
    func signIn() async -> Credentials?

    /// Asks the user to confirm a payment; returns false if the user cancels.
    func confirm(_ sheet: ConfirmationSheet) async -> Bool

    /// Asks a child whether to request a parent's approval of a purchase; returns false if the child cancels.
    func askPermission(_ sheet: ConfirmationSheet) async -> Bool

    /// Asks for an account and its password, and shows the reason; returns nil if the user cancels.
    func signIn(for reason: SignInReason) async -> Credentials?

    /// Asks for the password of an account that was signed in before; returns nil if the user cancels.
    ///
    /// The user may enter the credentials of another account instead.
    func signIn(again account: AccountID, for reason: SignInReason) async -> Credentials?

    /// Notifies the interface that the sign-in with the entered credentials has succeeded.
    func didSignIn(as account: AccountID) async

    /// Asks the user to consent to a price increase; returns nil if the user does not answer.
    func consent(to sheet: PriceConsentSheet) async -> Bool?

    /// Asks for an offer code; returns nil if the user cancels.
    func offerCode() async -> String?

    /// Shows the user why an offer code was not redeemed.
    ///
    /// - Parameters:
    ///   - code: The offer code that the user entered.
    ///   - reason: The reason, as a sentence.
    func showRedemptionFailure(of code: String, because reason: String) async

    /// Asks for the reason of a refund request; returns nil if the user cancels.
    func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason?

    /// Shows the user's subscriptions, and returns the change that the user requests, or nil for none.
    func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change?
}

extension StoreInterface {
    /// Agrees to request a parent's approval.
    public func askPermission(_ sheet: ConfirmationSheet) async -> Bool { true }

    /// Asks for an account and its password, without showing the reason.
    public func signIn(for reason: SignInReason) async -> Credentials? { await signIn() }

    /// Asks for an account and its password, without suggesting the account.
    public func signIn(again account: AccountID, for reason: SignInReason) async -> Credentials? { await signIn(for: reason) }

    /// Does nothing.
    public func didSignIn(as account: AccountID) async {}

    /// Returns nil, as if the user does not answer.
    public func consent(to sheet: PriceConsentSheet) async -> Bool? { nil }

    /// Returns nil, as if the user cancels.
    public func offerCode() async -> String? { nil }

    /// Shows nothing.
    public func showRedemptionFailure(of code: String, because reason: String) async {}

    /// Returns nil, as if the user cancels.
    public func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? { nil }

    /// Returns nil, as if the user requests no change.
    public func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change? { nil }
}
