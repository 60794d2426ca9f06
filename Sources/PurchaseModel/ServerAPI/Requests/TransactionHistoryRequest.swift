/// Which transactions of a customer are asked for: the query of the transaction history.
///
/// Values of one filter are alternatives; every filter must hold.
public struct TransactionHistoryRequest: Hashable, Sendable {
    /// A kind of product, as this query spells it.
    public enum ProductKind: String, Codable, Hashable, Sendable, CaseIterable {
        /// Paid again each period.
        case autoRenewable = "AUTO_RENEWABLE"
        /// Lasts a time that the app knows.
        case nonRenewable = "NON_RENEWABLE"
        /// Used up.
        case consumable = "CONSUMABLE"
        /// Bought once.
        case nonConsumable = "NON_CONSUMABLE"

        /// The type that transactions name.
        public var productType: ProductType {
            switch self {
            case .autoRenewable: .autoRenewable
            case .nonRenewable: .nonRenewing
            case .consumable: .consumable
            case .nonConsumable: .nonConsumable
            }
        }
    }

    /// The order by the date of the last change.
    public enum Order: String, Codable, Hashable, Sendable, CaseIterable {
        /// Oldest change first.
        case ascending = "ASCENDING"
        /// Newest change first.
        case descending = "DESCENDING"
    }

    /// Purchases of this time and later.
    public var startDate: Timestamp?
    /// Purchases before this time, which may be in the future.
    public var endDate: Timestamp?
    /// These products only.
    public var productIds: [ProductID] = []
    /// These kinds of products only.
    public var productTypes: [ProductKind] = []
    /// Subscriptions of these groups only.
    public var subscriptionGroupIdentifiers: [SubscriptionGroupID] = []
    /// What was bought, or what is shared.
    public var inAppOwnershipType: Ownership?
    /// Only what was revoked, or only what was not.
    public var revoked: Bool?
    /// Only what was not revoked; ``revoked`` took its place.
    public var excludeRevoked: Bool?
    /// The order; ascending when nil.
    public var sort: Order?

    /// Creates a request for everything.
    public init() {}

    /// The query of the page that follows a revision; nil asks for the first one.
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

    /// Reads a query; the revision is not part of it.
    ///
    /// - Throws: The error of the first parameter that cannot be used.
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

    /// The most values that one filter may have.
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
