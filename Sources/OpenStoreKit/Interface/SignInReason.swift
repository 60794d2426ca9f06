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

    /// The prompt's sentence.
    public var text: String {
        switch self {
        case .purchase: "Sign in to buy."
        case .restore: "Sign in to restore your purchases."
        case .refresh: "Sign in to refresh your purchases."
        }
    }
}
