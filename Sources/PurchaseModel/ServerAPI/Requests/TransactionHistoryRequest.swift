/// A request for a customer's transaction history, with filters and a sort order.
///
/// A transaction must match all filters. It matches a filter with several values when it matches one of them.
public struct TransactionHistoryRequest: Hashable, Sendable {
    /// A product type, with its spelling in the query.
    public enum ProductKind: String, Codable, Hashable, Sendable, CaseIterable {
        /// An auto-renewable subscription.
        case autoRenewable = "AUTO_RENEWABLE"
        /// A non-renewing subscription.
        case nonRenewable = "NON_RENEWABLE"
        /// A consumable.
        case consumable = "CONSUMABLE"
        /// A non-consumable.
        case nonConsumable = "NON_CONSUMABLE"

        /// The product type of the transactions that match.
        public var productType: ProductType {
            switch self {
            case .autoRenewable: .autoRenewable
            case .nonRenewable: .nonRenewing
            case .consumable: .consumable
            case .nonConsumable: .nonConsumable
            }
        }
    }

    /// The sort order of the transactions, by the date of their last change.
    public enum Order: String, Codable, Hashable, Sendable, CaseIterable {
        /// Oldest change first.
        case ascending = "ASCENDING"
        /// Newest change first.
        case descending = "DESCENDING"
    }

    /// The earliest purchase date of the transactions to include; nil for no limit.
    public var startDate: Timestamp?
    /// The end of the purchase dates to include: purchases at this date or later are excluded; nil for no limit.
    public var endDate: Timestamp?
    /// The products to include; empty for all products.
    public var productIds: [ProductID] = []
    /// The product types to include; empty for all types.
    public var productTypes: [ProductKind] = []
    /// The subscription groups to include; empty for all groups.
    public var subscriptionGroupIdentifiers: [SubscriptionGroupID] = []
    /// The ownership type to include; nil for both ownership types.
    public var inAppOwnershipType: Ownership?
    /// The revocation status to include: true for revoked transactions only, false for other transactions only, nil for both.
    public var revoked: Bool?
    /// Whether to exclude revoked transactions; deprecated in favor of ``revoked``.
    public var excludeRevoked: Bool?
    /// The sort order; nil for ascending order.
    public var sort: Order?

    /// Creates a request for all transactions.
    public init() {}

    /// Creates the query for the page after a revision, or for the first page when the revision is nil.
    public func query(revision: String?) -> ServerAPIQuery {
        var query = ServerAPIQuery()
        query.add("revision", revision)
        query.add("startDate", startDate?.milliseconds)
        query.add("endDate", endDate?.milliseconds)
        for id in productIds { query.add("productId", id) }
        for type in productTypes { query.add("productType", type.rawValue) }
        for id in subscriptionGroupIdentifiers { query.add("subscriptionGroupIdentifier", id) }
        query.add("inAppOwnershipType", inAppOwnershipType?.rawValue)
        query.add("revoked", revoked)
        query.add("excludeRevoked", excludeRevoked)
        query.add("sort", sort?.rawValue)
        return query
    }

    /// Parses the query of a request, except for its `revision` parameter.
    ///
    /// - Throws: The error for the first invalid parameter, such as ``ServerAPIError/invalidSort``.
    public init(_ query: ServerAPIQuery) throws(ServerAPIError) {
        startDate = try Self.date(query, "startDate", or: .invalidStartDate)
        endDate = try Self.date(query, "endDate", or: .invalidEndDate)
        if let startDate, let endDate, startDate >= endDate { throw .invalidStartDate }
        productIds = try Self.list(query, "productId", or: .invalidProductId) { Self.isUsable($0) ? ProductID($0) : nil }
        productTypes = try Self.list(query, "productType", or: .invalidProductType) { ProductKind(rawValue: $0) }
        subscriptionGroupIdentifiers = try Self.list(query, "subscriptionGroupIdentifier", or: .invalidSubscriptionGroupIdentifier) {
            Self.isUsable($0) ? SubscriptionGroupID($0) : nil
        }
        inAppOwnershipType = try Self.single(query, "inAppOwnershipType", or: .invalidInAppOwnershipType) { Ownership(rawValue: $0) }
        revoked = try Self.single(query, "revoked", or: .invalidRevoked, Self.bool)
        excludeRevoked = try Self.single(query, "excludeRevoked", or: .invalidExcludeRevoked, Self.bool)
        sort = try Self.single(query, "sort", or: .invalidSort) { Order(rawValue: $0) }
    }

    /// The maximum number of values of one filter.
    static let listLimit = 200

    private static func isUsable(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
    }

    private static func bool(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true": true
        case "false": false
        default: nil
        }
    }

    private static func date(_ query: ServerAPIQuery, _ name: String, or error: ServerAPIError) throws(ServerAPIError) -> Timestamp? {
        try single(query, name, or: error) { text in
            Int64(text).flatMap { $0 >= 0 ? Timestamp(milliseconds: $0) : nil }
        }
    }

    private static func single<Value>(
        _ query: ServerAPIQuery, _ name: String, or error: ServerAPIError, _ read: (String) -> Value?
    ) throws(ServerAPIError) -> Value? {
        let values = query.values(name)
        guard let text = values.first else { return nil }
        guard values.count == 1, let value = read(text) else { throw error }
        return value
    }

    private static func list<Value>(
        _ query: ServerAPIQuery, _ name: String, or error: ServerAPIError, _ read: (String) -> Value?
    ) throws(ServerAPIError) -> [Value] {
        var values: [Value] = []
        for text in query.values(name) {
            guard let value = read(text), values.count < listLimit else { throw error }
            values.append(value)
        }
        return values
    }
}
