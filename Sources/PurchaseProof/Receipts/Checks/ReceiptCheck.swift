/// One question about a receipt, answered by a small value.
///
/// The three texts are for people who ask why a receipt passed; they must give no secrets away.
public protocol ReceiptCheck: Sendable {
    /// What is looked at, such as `bundle`.
    var name: String { get }

    /// The rule that the receipt must meet, as a sentence.
    var rule: String { get }

    /// What is there to be seen.
    func saw(_ payload: ReceiptPayload) -> String

    /// Throws when the receipt does not pass.
    func examine(_ payload: ReceiptPayload) throws(Refusal)
}
