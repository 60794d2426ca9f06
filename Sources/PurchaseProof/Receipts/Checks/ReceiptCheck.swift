/// One question about a receipt, answered by a small value.
public protocol ReceiptCheck: Sendable {
    /// Throws when the receipt does not pass.
    func examine(_ payload: ReceiptPayload) throws(Refusal)
}
