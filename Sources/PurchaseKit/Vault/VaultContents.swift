import PurchaseModel

/// What the vault's file holds once it is opened.
struct VaultContents: Codable, Sendable {
    /// Counts the writes; an older number than the keychain's is an old copy.
    var generation: UInt64 = 0
    /// The purchases as the store signed them, by transaction; verified again at each opening.
    var purchases: [TransactionID: SignedTransaction] = [:]
    /// The credits that each transaction added, once.
    var credited: [TransactionID: Int] = [:]
    /// The credits that were spent, by spending.
    var spent: [String: Int] = [:]
    /// The content that is installed, by product.
    var contents: [ProductID: InstalledContent] = [:]

    /// The credits that are left; nil when the numbers do not fit.
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
