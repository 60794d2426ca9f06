/// The reason for a sign-in prompt.
public enum SignInReason: String, Hashable, Sendable, CaseIterable {
    /// To pay, or to deliver a paid transaction.
    case purchase
    /// To restore purchases.
    case restore
    /// To refresh the receipt.
    case refresh

    /// The reason of a sign-in prompt in the current task.
    @TaskLocal static var current = SignInReason.purchase

    /// Runs work that may ask for a sign-in with this reason.
    func run<Value: Sendable>(_ body: () async throws(PaymentFailure) -> Value) async throws(PaymentFailure) -> Value {
        let outcome: Result<Value, PaymentFailure> = await Self.$current.withValue(self) {
            do throws(PaymentFailure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// The text of the prompt.
    public var text: String {
        switch self {
        case .purchase: "Sign in to buy."
        case .restore: "Sign in to restore your purchases."
        case .refresh: "Sign in to refresh your purchases."
        }
    }
}
