public import PurchaseModel
import Synchronization

/// A user whose answers are written down beforehand, and who remembers what was shown.
///
/// When the script has run out, the user confirms, agrees and signs in as usual, and cancels what takes words: codes, reasons, changes.
public final class ScriptedInterface: StoreInterface {
    /// Something that was shown.
    public enum Shown: Hashable, Sendable {
        /// A sign-in, with its reason.
        case signIn(SignInReason)
        /// A sign-in of an account that was signed in before, with its reason.
        case signInAgain(AccountID, SignInReason)
        /// The confirmation of a payment.
        case confirmation(ConfirmationSheet)
        /// The question whether to ask a parent.
        case permission(ConfirmationSheet)
        /// A higher price.
        case priceConsent(PriceConsentSheet)
        /// The field for an offer code.
        case offerCode
        /// Why an offer code was not redeemed.
        case offerCodeRefused(String, reason: String)
        /// The sheet of a refund.
        case refund(RefundSheet)
        /// The user's subscriptions.
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

    /// Creates a user with the credentials that sign-in prompts are answered with.
    public init(_ credentials: Credentials? = nil) {
        self.credentials = credentials
    }

    /// Decides the next confirmations, in order.
    public func script(confirmations: [Bool]) {
        state.withLock { $0.confirmations += confirmations }
    }

    /// Decides whether parents are asked next, in order; false cancels.
    public func script(permissions: [Bool]) {
        state.withLock { $0.permissions += permissions }
    }

    /// Decides the next sign-ins, in order; nil cancels.
    public func script(signIns: [Credentials?]) {
        state.withLock { $0.signIns += signIns }
    }

    /// Decides whether sign-in prompts are cancelled from now on.
    public func script(cancelsSignIn: Bool) {
        state.withLock { $0.cancelsSignIn = cancelsSignIn }
    }

    /// Decides the next answers to higher prices, in order; nil leaves it open.
    public func script(consents: [Bool?]) {
        state.withLock { $0.consents += consents }
    }

    /// Decides the next offer codes, in order; nil cancels.
    public func script(offerCodes: [String?]) {
        state.withLock { $0.codes += offerCodes }
    }

    /// Decides the next reasons of refunds, in order; nil cancels.
    public func script(refundReasons: [ConsumptionRequestReason?]) {
        state.withLock { $0.refunds += refundReasons }
    }

    /// Decides the next changes of subscriptions, in order; nil changes nothing.
    public func script(changes: [SubscriptionsSheet.Change?]) {
        state.withLock { $0.changes += changes }
    }

    /// Everything that was shown so far, in order.
    public var shown: [Shown] { state.withLock { $0.shown } }

    /// The confirmations shown so far.
    public var sheets: [ConfirmationSheet] {
        shown.compactMap { if case .confirmation(let sheet) = $0 { sheet } else { nil } }
    }

    /// What parents were to be asked for so far.
    public var permissions: [ConfirmationSheet] {
        shown.compactMap { if case .permission(let sheet) = $0 { sheet } else { nil } }
    }

    /// How often a sign-in was asked for.
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

    private var usual: Credentials? { state.withLock { $0.cancelsSignIn } ? nil : credentials }

    /// Signs in, unless the script says to cancel.
    public func signIn() async -> Credentials? { await signIn(for: .purchase) }

    /// Signs in, unless the script says to cancel.
    public func signIn(for reason: SignInReason) async -> Credentials? {
        show(.signIn(reason), \.signIns, otherwise: usual)
    }

    /// Signs in again, unless the script says to cancel.
    public func signIn(again account: AccountID, for reason: SignInReason) async -> Credentials? {
        show(.signInAgain(account, reason), \.signIns, otherwise: usual)
    }

    /// Answers as the script says.
    public func confirm(_ sheet: ConfirmationSheet) async -> Bool {
        show(.confirmation(sheet), \.confirmations, otherwise: true)
    }

    /// Answers as the script says.
    public func askPermission(_ sheet: ConfirmationSheet) async -> Bool {
        show(.permission(sheet), \.permissions, otherwise: true)
    }

    /// Answers as the script says.
    public func consent(to sheet: PriceConsentSheet) async -> Bool? {
        show(.priceConsent(sheet), \.consents, otherwise: true)
    }

    /// Types the code of the script.
    public func offerCode() async -> String? {
        show(.offerCode, \.codes, otherwise: nil)
    }

    /// Remembers why the code was not redeemed.
    public func refused(offerCode code: String, because reason: String) async {
        state.withLock { $0.shown.append(.offerCodeRefused(code, reason: reason)) }
    }

    /// Gives the reason of the script.
    public func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? {
        show(.refund(sheet), \.refunds, otherwise: nil)
    }

    /// Changes what the script says.
    public func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change? {
        show(.subscriptions(sheet), \.changes, otherwise: nil)
    }
}
