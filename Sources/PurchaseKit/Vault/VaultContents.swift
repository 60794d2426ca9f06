import PurchaseModel

/// The decrypted contents of the vault's file.
struct VaultContents: Codable, Sendable {
    /// The number of writes of the file; a number lower than the one in the keychain identifies an older copy of the file.
    var generation: UInt64 = 0
    /// The signed transactions by transaction identifier, which are verified when the vault is opened.
    var purchases: [TransactionID: SignedTransaction] = [:]
    /// The credits that each transaction added.
    var credited: [TransactionID: Int] = [:]
    /// The debited credits by idempotency key.
    var spent: [String: Int] = [:]
    /// The content that is installed on the device, by product.
    var contents: [ProductID: InstalledContent] = [:]

    /// The credits that remain after all debits; nil if a sum is out of range.
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
