public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Finds accounts, transactions, notifications, products and requests; the query parameters are `text` and `limit`.
    package static let search = Endpoint<Empty, SearchReply>(.get, "/control/v1/search")
}

/// What a store found for a text.
package struct SearchReply: Codable, Hashable, Sendable {
    /// The maximum number of results in a reply.
    package static let limit = 20
    /// The maximum length of the text, in bytes of UTF-8.
    package static let textLimit = 200

    /// The results: those with exactly the text as an identifier first, then accounts and products that contain the text.
    package var results: [SearchResult]

    /// Creates a reply.
    package init(results: [SearchResult]) {
        self.results = results
    }
}

/// An account, transaction, notification, product or request that a store found for a text.
public struct SearchResult: Codable, Hashable, Sendable {
    /// The kind of a result.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// An account; ``SearchResult/id`` is its name.
        case account
        /// A transaction; ``SearchResult/id`` is its transaction identifier.
        case transaction
        /// An App Store Server Notification; ``SearchResult/id`` is its `notificationUUID`.
        case notification
        /// A product; ``SearchResult/id`` is its product identifier.
        case product
        /// A request that the store has received; ``SearchResult/id`` is its number.
        case request
    }

    /// The property that has or contains the text.
    public enum Match: String, Codable, Hashable, Sendable, CaseIterable {
        /// The account name.
        case account
        /// The app transaction identifier of the account in an app.
        case appTransactionID
        /// The transaction identifier.
        case transactionID
        /// The identifier of the purchase's first transaction.
        case originalTransactionID
        /// The order ID on the customer's invoice.
        case orderID
        /// The identifier of a subscription period across devices (`webOrderLineItemId`).
        case webOrderLineItemID
        /// The `notificationUUID`, or its beginning.
        case notificationUUID
        /// The product identifier.
        case productID
        /// The display name of the product.
        case title
        /// The number of the request.
        case request
    }

    /// The kind of the result.
    public var kind: Kind
    /// The identifier, depending on the kind.
    public var id: String
    /// The property that has or contains the text.
    public var match: Match
    /// The display name of the product, the type of the notification, or the path of the request; nil for an account.
    public var title: String?
    /// The account of a transaction, notification or request; nil if there is none.
    public var account: AccountID?
    /// The app of a transaction, notification or product; nil for other kinds.
    public var bundleID: BundleID?
    /// The date of the purchase, notification or request; nil for other kinds.
    public var date: Timestamp?

    /// Creates a result.
    package init(
        _ kind: Kind, id: String, match: Match, title: String? = nil, account: AccountID? = nil, bundleID: BundleID? = nil,
        date: Timestamp? = nil
    ) {
        self.kind = kind
        self.id = id
        self.match = match
        self.title = title
        self.account = account
        self.bundleID = bundleID
        self.date = date
    }
}
