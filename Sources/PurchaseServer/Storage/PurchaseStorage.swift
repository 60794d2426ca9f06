import PurchaseModel
import PurchaseProof
import PurchaseProtocol

/// What a server remembers, in the verbs of its trade.
///
/// Each verb that writes is one transaction and keeps one promise; when it returns, the write is durable. What is written
/// comes from a verifier. What is read is the server's own record of it.
protocol PurchaseStorage: Sendable {
    /// Records a transaction and adds its credits to the customer's balance, once for each charge (`CreditRule`); a repeat changes
    /// nothing and returns the same grant. A restore adds nothing, and neither does what was refunded before it came.
    func record(_ transaction: VerifiedTransaction, for customer: CustomerID, credits: Int) async throws -> CreditGrant

    /// Stores a notification by its UUID, appends what it states to the facts of its purchase, folds them, and lets credits
    /// follow: a refund takes them back, below zero when they were spent, and a reversed refund gives back what it took.
    func apply(_ notification: VerifiedNotification) async throws -> NotificationOutcome

    /// Records that a purchase was shown by a receipt, and keeps the receipt that showed it first.
    func record(_ receipt: VerifiedReceipt, showing purchase: ReceiptPurchase) async throws

    /// What the facts of one purchase add up to; nil when there are none.
    func entitlement(of purchase: TransactionID) async throws -> Entitlement?

    /// What the facts of a customer's purchases of one product add up to.
    func entitlements(of customer: CustomerID, to product: ProductID) async throws -> [Entitlement]

    /// A customer's credits; 0 for one who never had any, below zero for one who owes some.
    func balance(of customer: CustomerID) async throws -> Int

    /// Takes credits, once for each spending; a repeat returns what the first one did.
    func spend(_ amount: Int, spending: String, by customer: CustomerID) async throws -> SpendingOutcome

    /// The key of the tickets: `candidate` the first time, and the same ever after.
    func ticketKey(candidate: [UInt8]) async throws -> [UInt8]

    /// The newest purchases, newest first, with what they add up to at `now`.
    func transactions(limit: Int, at now: Timestamp) async throws -> [BackofficeTransaction]

    /// The newest notifications, newest first.
    func notifications(limit: Int) async throws -> [BackofficeNotification]
}
