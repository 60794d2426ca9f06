public import PurchaseModel

/// What the system shows its user while something is bought: sheets and prompts that no app can draw itself.
///
/// A person, a script or a default may stand behind it. Every question may take as long as it likes, and may be cancelled; nil or false
/// means that. Only the first two have to be implemented.
public protocol StoreInterface: Sendable {
    /// Asks for an account and its password; nil when the user cancels.
    func signIn() async -> Credentials?

    /// Shows what is about to be bought and asks for confirmation; false when the user cancels.
    func confirm(_ sheet: ConfirmationSheet) async -> Bool

    /// Asks a child whether to ask a parent for permission to buy this; false when the child cancels, and nothing is bought.
    func askPermission(_ sheet: ConfirmationSheet) async -> Bool

    /// Asks for an account and its password and says why; nil when the user cancels.
    func signIn(for reason: SignInReason) async -> Credentials?

    /// Asks for the password again of an account that was signed in before; the user may name another account, or cancel.
    func signIn(again account: AccountID, for reason: SignInReason) async -> Credentials?

    /// Is told that the sign-in that was asked for has succeeded.
    func signedIn(as account: AccountID) async

    /// Asks whether the user agrees to a higher price; nil when that is left open.
    func consent(to sheet: PriceConsentSheet) async -> Bool?

    /// Asks for an offer code; nil when the user cancels.
    func offerCode() async -> String?

    /// Shows why an offer code was not redeemed; the reason is a sentence.
    func refused(offerCode code: String, because reason: String) async

    /// Asks why the money for a purchase is wanted back; nil when the user cancels.
    func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason?

    /// Shows the user's subscriptions and asks what is to change; nil when nothing is.
    func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change?
}

extension StoreInterface {
    /// Has the parent asked.
    public func askPermission(_ sheet: ConfirmationSheet) async -> Bool { true }

    /// Asks without saying why.
    public func signIn(for reason: SignInReason) async -> Credentials? { await signIn() }

    /// Asks as for the first time.
    public func signIn(again account: AccountID, for reason: SignInReason) async -> Credentials? { await signIn(for: reason) }

    /// Does nothing.
    public func signedIn(as account: AccountID) async {}

    /// Leaves it open.
    public func consent(to sheet: PriceConsentSheet) async -> Bool? { nil }

    /// Cancels.
    public func offerCode() async -> String? { nil }

    /// Shows nothing.
    public func refused(offerCode code: String, because reason: String) async {}

    /// Cancels.
    public func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? { nil }

    /// Changes nothing.
    public func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change? { nil }
}
