/// What a sign-in is asked for.
public enum SignInReason: String, Hashable, Sendable, CaseIterable {
    /// To pay, or to hand over what was paid.
    case purchase
    /// To restore purchases.
    case restore
    /// To fetch a new receipt.
    case refresh

    /// What the current task would ask for.
    @TaskLocal static var current = SignInReason.purchase

    /// Does something for which a sign-in may be asked, for this reason.
    func asked<Value: Sendable>(_ body: () async throws(PaymentFailure) -> Value) async throws(PaymentFailure) -> Value {
        let outcome: Result<Value, PaymentFailure> = await Self.$current.withValue(self) {
            do throws(PaymentFailure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// The prompt's sentence.
    public var text: String {
        switch self {
        case .purchase: "Sign in to buy."
        case .restore: "Sign in to restore your purchases."
        case .refresh: "Sign in to refresh your purchases."
        }
    }
}
