public import PurchaseModel

/// The receipt of one transaction that a verifier has vouched for; nobody else can make one.
public struct VerifiedTransactionReceipt: Hashable, Sendable {
    /// What it says.
    public let payload: TransactionReceiptPayload
    /// Where it says it was made, which is the one thing that is not proven:
    /// see ``UnverifiedTransactionReceipt/claimedEnvironment``.
    public let claimedEnvironment: AppEnvironment
    /// The receipt, to be kept and verified again.
    public let original: [UInt8]
}
