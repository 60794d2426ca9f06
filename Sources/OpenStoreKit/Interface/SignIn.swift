public import PurchaseModel

/// An account and its password, as entered by a user.
///
/// Credentials are never written to disk and never printed.
public struct Credentials: Sendable {
    /// The name of the account.
    public var account: AccountID
    /// The account's password.
    public var password: String

    /// Creates credentials from an account and its password.
    public init(account: AccountID, password: String) {
        self.account = account
        self.password = password
    }
}

extension Credentials: CustomStringConvertible {
    /// The name of the account, without the password.
    public var description: String { "\(account)" }
}

/// The reason why a sign-in prompt is shown.
public enum SignInReason: String, Hashable, Sendable, CaseIterable {
    /// The user pays, or the device fetches a paid transaction.
    case purchase
    /// The user restores purchases.
    case restore
    /// The user refreshes the receipt.
    case refresh

    /// The reason for sign-in prompts in the current task.
    @TaskLocal static var current = SignInReason.purchase

    /// Runs work whose sign-in prompts show this reason.
    func run<Value: Sendable>(_ body: () async throws(PaymentFailure) -> Value) async throws(PaymentFailure) -> Value {
        let outcome: Result<Value, PaymentFailure> = await Self.$current.withValue(self) {
            do throws(PaymentFailure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// The text of the sign-in prompt.
    public var text: String {
        switch self {
        case .purchase: "Sign in to buy."
        case .restore: "Sign in to restore your purchases."
        case .refresh: "Sign in to refresh your purchases."
        }
    }
}
