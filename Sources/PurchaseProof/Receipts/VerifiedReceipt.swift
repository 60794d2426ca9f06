/// A receipt that a verifier has vouched for; nobody else can make one.
public struct VerifiedReceipt: Hashable, Sendable {
    /// What it says.
    public let payload: ReceiptPayload
    /// The receipt file, to be kept and verified again.
    public let original: [UInt8]
}
