import Logging
import PurchaseModel
import Synchronization

/// Limits the number of sign-in prompts in a row, and reports sign-in prompts without a user gesture.
final class PromptLimiter: Sendable {
    private let budget: Mutex<PromptBudget>
    private let report: @Sendable (DeviceReport) -> Void

    init(_ configuration: DeviceConfiguration, logger: Logger) {
        budget = Mutex(PromptBudget(limit: configuration.signInPromptLimit))
        report = configuration.report ?? { logger.warning("\($0)") }
    }

    /// Reports a behavior of the app, unless the current task has a user gesture; a user gesture makes all prompts available again.
    func reportUnlessUserGesture(_ behavior: DeviceReport) {
        if Device.isUserGesture { reset() } else { report(behavior) }
    }

    /// Returns whether a sign-in prompt may be shown now, and counts the prompt; reports a prompt beyond the limit.
    func requestSignInPrompt() -> Bool {
        if Device.isUserGesture { reset() }
        let (may, limit) = budget.withLock { ($0.usePrompt(), $0.limit) }
        if !may { report(.promptWithheld(limit: limit)) }
        return may
    }

    /// Makes all prompts available again, after a successful sign-in or a user gesture.
    func reset() {
        budget.withLock { $0.reset() }
    }
}

/// The number of sign-in prompts that the device may still show in a row.
struct PromptBudget: Sendable {
    /// The maximum number of prompts in a row without a successful sign-in or a user gesture.
    let limit: Int
    private(set) var usedPrompts = 0

    /// Creates a budget with all prompts available.
    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a prompt; returns false if the limit is reached.
    mutating func usePrompt() -> Bool {
        guard usedPrompts < limit else { return false }
        usedPrompts += 1
        return true
    }

    /// Makes all prompts available again, after a successful sign-in or a user gesture.
    mutating func reset() {
        usedPrompts = 0
    }
}

/// A wrapper of the device's interface that limits sign-in prompts, and asks for the password alone if the account is known.
final class PromptLimitingInterface: StoreInterface {
    private let user: any StoreInterface
    private let promptLimiter: PromptLimiter
    private let lastAccount = Mutex<AccountID?>(nil)

    init(_ user: any StoreInterface, promptLimiter: PromptLimiter) {
        self.user = user
        self.promptLimiter = promptLimiter
    }

    @concurrent func signIn() async -> Credentials? { await signIn(for: .current) }

    @concurrent func signIn(for reason: SignInReason) async -> Credentials? {
        guard promptLimiter.requestSignInPrompt() else { return nil }
        guard let account = lastAccount.withLock({ $0 }) else { return await user.signIn(for: reason) }
        return await user.signIn(again: account, for: reason)
    }

    @concurrent func didSignIn(as account: AccountID) async {
        promptLimiter.reset()
        lastAccount.withLock { $0 = account }
        await user.didSignIn(as: account)
    }

    @concurrent func confirm(_ sheet: ConfirmationSheet) async -> Bool {
        guard await user.confirm(sheet) else { return false }
        // Confirming a payment counts as a user gesture.
        promptLimiter.reset()
        return true
    }

    @concurrent func askPermission(_ sheet: ConfirmationSheet) async -> Bool { await user.askPermission(sheet) }
    @concurrent func consent(to sheet: PriceConsentSheet) async -> Bool? { await user.consent(to: sheet) }
    @concurrent func offerCode() async -> String? { await user.offerCode() }
    @concurrent func showRedemptionFailure(of code: String, because reason: String) async {
        await user.showRedemptionFailure(of: code, because: reason)
    }
    @concurrent func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? { await user.refundReason(sheet) }
    @concurrent func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change? { await user.manage(sheet) }
}

/// A report that the app may cause sign-in prompts without a user gesture, or causes them too often.
public enum DeviceReport: Hashable, Sendable {
    /// The app restores purchases without a user gesture; a sign-in prompt may appear unexpectedly.
    case restoreWithoutGesture
    /// The app refreshes the receipt without a user gesture; a sign-in prompt may appear unexpectedly.
    case refreshWithoutGesture
    /// A sign-in prompt was not shown, because the limit of prompts in a row was reached; the sign-in counts as canceled.
    case promptWithheld(limit: Int)
}

extension DeviceReport: CustomStringConvertible {
    /// A description of the behavior and its remedy.
    public var description: String {
        switch self {
        case .restoreWithoutGesture:
            "The app restores purchases without a user gesture. Restore from a button, in Device.withUserGesture."
        case .refreshWithoutGesture:
            "The app refreshes the receipt without a user gesture. Refresh from a button, in Device.withUserGesture."
        case .promptWithheld(let limit):
            "The limit of \(limit) sign-in prompts in a row is reached; the sign-in counts as canceled. Prompt after a user gesture only."
        }
    }
}
