public import PurchaseModel
import Synchronization

/// A simulated user with scripted answers, who records every sheet shown.
///
/// If no scripted answer remains, the user confirms payments, consents to price increases, signs in with the default credentials, and
/// cancels the sheets for offer codes, refund reasons and subscriptions.
public final class ScriptedInterface: StoreInterface {
    /// A sheet or prompt that was shown.
    public enum Shown: Hashable, Sendable {
        /// A sign-in prompt, with its reason.
        case signIn(SignInReason)
        /// A sign-in prompt for an account that was signed in before, with its reason.
        case signInAgain(AccountID, SignInReason)
        /// The confirmation of a payment.
        case confirmation(ConfirmationSheet)
        /// The sheet that asks whether to request a parent's approval.
        case permission(ConfirmationSheet)
        /// The sheet that asks for consent to a price increase.
        case priceConsent(PriceConsentSheet)
        /// The sheet that asks for an offer code.
        case offerCode
        /// The reason why an offer code was not redeemed.
        case offerCodeRefused(String, reason: String)
        /// The sheet that asks for the reason of a refund request.
        case refund(RefundSheet)
        /// The sheet with the user's subscriptions.
        case subscriptions(SubscriptionsSheet)
    }

    private struct State {
        var shown: [Shown] = []
        var confirmations: [Bool] = []
        var permissions: [Bool] = []
        var signIns: [Credentials?] = []
        var cancelsSignIn = false
        var consents: [Bool?] = []
        var codes: [String?] = []
        var refunds: [ConsumptionRequestReason?] = []
        var changes: [SubscriptionsSheet.Change?] = []
    }

    private let credentials: Credentials?
    private let state = Mutex(State())

    /// Creates a simulated user with default credentials for sign-in prompts; nil cancels the prompts.
    public init(_ credentials: Credentials? = nil) {
        self.credentials = credentials
    }

    /// Adds answers for the next payment confirmations, in order; false cancels.
    public func script(confirmations: [Bool]) {
        state.withLock { $0.confirmations += confirmations }
    }

    /// Adds answers for the next sheets that ask whether to request a parent's approval, in order; false cancels.
    public func script(permissions: [Bool]) {
        state.withLock { $0.permissions += permissions }
    }

    /// Adds credentials for the next sign-in prompts, in order; nil cancels.
    public func script(signIns: [Credentials?]) {
        state.withLock { $0.signIns += signIns }
    }

    /// Sets whether sign-in prompts without scripted credentials are canceled from now on.
    public func script(cancelsSignIn: Bool) {
        state.withLock { $0.cancelsSignIn = cancelsSignIn }
    }

    /// Adds answers for the next price increases, in order; nil gives no answer.
    public func script(consents: [Bool?]) {
        state.withLock { $0.consents += consents }
    }

    /// Adds codes for the next offer code sheets, in order; nil cancels.
    public func script(offerCodes: [String?]) {
        state.withLock { $0.codes += offerCodes }
    }

    /// Adds reasons for the next refund requests, in order; nil cancels.
    public func script(refundReasons: [ConsumptionRequestReason?]) {
        state.withLock { $0.refunds += refundReasons }
    }

    /// Adds changes for the next subscription sheets, in order; nil changes nothing.
    public func script(changes: [SubscriptionsSheet.Change?]) {
        state.withLock { $0.changes += changes }
    }

    /// All sheets and prompts shown so far, in order.
    public var shown: [Shown] { state.withLock { $0.shown } }

    /// The payment confirmations shown so far, in order.
    public var sheets: [ConfirmationSheet] {
        shown.compactMap { if case .confirmation(let sheet) = $0 { sheet } else { nil } }
    }

    /// The sheets shown so far that asked whether to request a parent's approval, in order.
    public var permissions: [ConfirmationSheet] {
        shown.compactMap { if case .permission(let sheet) = $0 { sheet } else { nil } }
    }

    /// The number of sign-in prompts shown so far.
    public var signInPrompts: Int {
        shown.count { shown in
            switch shown {
            case .signIn, .signInAgain: true
            case .confirmation, .permission, .priceConsent, .offerCode, .offerCodeRefused, .refund, .subscriptions: false
            }
        }
    }

    private func show<Answer: Sendable>(_ shown: Shown, _ script: WritableKeyPath<State, [Answer]>, otherwise: Answer) -> Answer {
        state.withLock { state in
            state.shown.append(shown)
            return state[keyPath: script].isEmpty ? otherwise : state[keyPath: script].removeFirst()
        }
    }

    private var defaultCredentials: Credentials? { state.withLock { $0.cancelsSignIn } ? nil : credentials }

    /// Returns the next scripted credentials, or the default credentials if none remain.
    public func signIn() async -> Credentials? { await signIn(for: .purchase) }

    /// Returns the next scripted credentials, or the default credentials if none remain.
    public func signIn(for reason: SignInReason) async -> Credentials? {
        show(.signIn(reason), \.signIns, otherwise: defaultCredentials)
    }

    /// Returns the next scripted credentials, or the default credentials if none remain.
    public func signIn(again account: AccountID, for reason: SignInReason) async -> Credentials? {
        show(.signInAgain(account, reason), \.signIns, otherwise: defaultCredentials)
    }

    /// Returns the next scripted answer, or true if none remains.
    public func confirm(_ sheet: ConfirmationSheet) async -> Bool {
        show(.confirmation(sheet), \.confirmations, otherwise: true)
    }

    /// Returns the next scripted answer, or true if none remains.
    public func askPermission(_ sheet: ConfirmationSheet) async -> Bool {
        show(.permission(sheet), \.permissions, otherwise: true)
    }

    /// Returns the next scripted answer, or true if none remains.
    public func consent(to sheet: PriceConsentSheet) async -> Bool? {
        show(.priceConsent(sheet), \.consents, otherwise: true)
    }

    /// Returns the next scripted offer code, or nil if none remains.
    public func offerCode() async -> String? {
        show(.offerCode, \.codes, otherwise: nil)
    }

    /// Records the reason why an offer code was not redeemed.
    public func showRedemptionFailure(of code: String, because reason: String) async {
        state.withLock { $0.shown.append(.offerCodeRefused(code, reason: reason)) }
    }

    /// Returns the next scripted reason, or nil if none remains.
    public func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? {
        show(.refund(sheet), \.refunds, otherwise: nil)
    }

    /// Returns the next scripted change, or nil if none remains.
    public func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change? {
        show(.subscriptions(sheet), \.changes, otherwise: nil)
    }
}
