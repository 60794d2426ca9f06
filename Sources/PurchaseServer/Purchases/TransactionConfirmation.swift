/// Whether the server asks the App Store Server API about signed transactions that it has verified locally.
///
/// A signed transaction states what was true when it was signed; the answer of the App Store contains a later refund, too.
public enum TransactionConfirmation: String, CaseIterable, Sendable {
    /// The App Store is not asked; the signature of the transaction suffices, and notifications report a refund.
    case off
    /// The newest version counts, and a transaction that the App Store does not know is refused; without a response, the signature suffices.
    case soft
    /// As `soft`, but without a response the verification is indeterminate, a retryable result; requires a key of the App Store Server API.
    case hard
}
