public import PurchaseModel

/// The sheets and prompts that the system, and not the app, shows to the user.
///
/// The answers come from a person, a script or default implementations. A call may take any time; nil or false means that the user
/// canceled. Only ``signIn()`` and ``confirm(_:)`` have no default implementation.
public protocol StoreInterface: Sendable {
    /// Asks for an account and its password; nil when the user cancels.
    func signIn() async -> Credentials?

    /// Shows the payment and asks for confirmation; false when the user cancels.
    func confirm(_ sheet: ConfirmationSheet) async -> Bool

    /// Asks a child whether to request a parent's approval of the purchase; false when the child cancels.
    func askPermission(_ sheet: ConfirmationSheet) async -> Bool

    /// Asks for an account and its password and shows the reason; nil when the user cancels.
    func signIn(for reason: SignInReason) async -> Credentials?

    /// Asks for the password of an account that was signed in before; the user may enter another account, or cancel.
    func signIn(again account: AccountID, for reason: SignInReason) async -> Credentials?

    /// Reports that the requested sign-in has succeeded.
    func didSignIn(as account: AccountID) async

    /// Asks the user to consent to a price increase; nil when the user does not answer.
    func consent(to sheet: PriceConsentSheet) async -> Bool?

    /// Asks for an offer code; nil when the user cancels.
    func offerCode() async -> String?

    /// Shows the reason why an offer code was not redeemed; the reason is a sentence.
    func showRedemptionFailure(of code: String, because reason: String) async

    /// Asks for the reason of a refund request; nil when the user cancels.
    func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason?

    /// Shows the user's subscriptions and asks for a change; nil for none.
    func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change?
}

extension StoreInterface {
    /// Agrees to request a parent's approval.
    public func askPermission(_ sheet: ConfirmationSheet) async -> Bool { true }

    /// Asks without showing the reason.
    public func signIn(for reason: SignInReason) async -> Credentials? { await signIn() }

    /// Asks as for a first sign-in.
    public func signIn(again account: AccountID, for reason: SignInReason) async -> Credentials? { await signIn(for: reason) }

    /// Does nothing.
    public func didSignIn(as account: AccountID) async {}

    /// Gives no answer.
    public func consent(to sheet: PriceConsentSheet) async -> Bool? { nil }

    /// Cancels.
    public func offerCode() async -> String? { nil }

    /// Shows nothing.
    public func showRedemptionFailure(of code: String, because reason: String) async {}

    /// Cancels.
    public func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? { nil }

    /// Changes nothing.
    public func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change? { nil }
}
