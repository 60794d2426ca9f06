/// Whether the server confirms locally verified transactions with the App Store Server API.
///
/// A signed transaction does not show a refund after its signature date; a response of the App Store Server API shows the refund.
public enum TransactionConfirmation: String, CaseIterable, Sendable {
    /// The server sends no request; the signature of the transaction suffices, and notifications report a refund.
    case off
    /// The server records the newest version of the transaction, and refuses a transaction that is unknown to the App Store; without a
    /// response, the signature suffices.
    case soft
    /// The server confirms as in the mode `soft`, but without a response the verification is indeterminate, a retryable result; requires a
    /// key of the App Store Server API.
    case hard
}
