import PurchaseModel
import Synchronization

/// A wrapper of the device's interface that limits sign-in prompts, and asks for the password alone if the account is known.
final class PromptLimitingInterface: StoreInterface {
    private let user: any StoreInterface
    private let promptLimiter: PromptLimiter
    private let lastAccount = Mutex<AccountID?>(nil)

    init(_ user: any StoreInterface, promptLimiter: PromptLimiter) {
        self.user = user
        self.promptLimiter = promptLimiter
    }

    func signIn() async -> Credentials? { await signIn(for: .current) }

    func signIn(for reason: SignInReason) async -> Credentials? {
        guard promptLimiter.requestSignInPrompt() else { return nil }
        guard let account = lastAccount.withLock({ $0 }) else { return await user.signIn(for: reason) }
        return await user.signIn(again: account, for: reason)
    }

    func didSignIn(as account: AccountID) async {
        promptLimiter.reset()
        lastAccount.withLock { $0 = account }
        await user.didSignIn(as: account)
    }

    func confirm(_ sheet: ConfirmationSheet) async -> Bool {
        guard await user.confirm(sheet) else { return false }
        // Confirming a payment counts as a user gesture.
        promptLimiter.reset()
        return true
    }

    func askPermission(_ sheet: ConfirmationSheet) async -> Bool { await user.askPermission(sheet) }
    func consent(to sheet: PriceConsentSheet) async -> Bool? { await user.consent(to: sheet) }
    func offerCode() async -> String? { await user.offerCode() }
    func showRedemptionFailure(of code: String, because reason: String) async {
        await user.showRedemptionFailure(of: code, because: reason)
    }
    func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? { await user.refundReason(sheet) }
    func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change? { await user.manage(sheet) }
}
