import PurchaseModel

/// The decrypted contents of the vault's file.
struct VaultContents: Codable, Sendable {
    /// The number of writes; a lower number than the keychain's identifies an old copy.
    var generation: UInt64 = 0
    /// The signed purchases by transaction, which are verified at each opening.
    var purchases: [TransactionID: SignedTransaction] = [:]
    /// The credits that each transaction added, once.
    var credited: [TransactionID: Int] = [:]
    /// The debited credits by idempotency key.
    var spent: [String: Int] = [:]
    /// The installed content by product.
    var contents: [ProductID: InstalledContent] = [:]

    /// The remaining credits; nil when a sum is out of range.
    var balance: Int? {
        var sum: Int? = 0
        for credits in credited.values {
            sum = sum.flatMap { CreditRule.balance($0, adding: credits) }
        }
        for amount in spent.values {
            sum = sum.flatMap { CreditRule.balance($0, adding: -amount) }
        }
        return sum
    }
}
