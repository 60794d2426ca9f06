/// What a device still has to deal with.
public struct UnfinishedReply: Codable, Hashable, Sendable {
    /// Transactions of this device that were not finished, oldest first.
    public var transactions: [UnfinishedTransaction]
    /// Payments that waited for a parent, who declined them; like all that follows, empty or nil unless this is the last page.
    public var declined: [PaymentID]
    /// What the customer chose outside the app; nil when there is nothing.
    public var promotions: [PromotedPurchase]?
    /// What the customer should be told; nil when there is nothing.
    public var messages: [StoreMessage]?
    /// The country's store of the account as it is now.
    public var storefront: Storefront?
    /// Where this page ends when there are more; nil on the last.
    public var next: String?

    /// How many transactions a reply holds at most.
    public static let limit = 1_000

    /// Creates a reply.
    public init(transactions: [UnfinishedTransaction], declined: [PaymentID], promotions: [PromotedPurchase]? = nil) {
        self.transactions = transactions
        self.declined = declined
        self.promotions = promotions
    }
}
