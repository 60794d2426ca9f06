/// A response with one transaction.
public struct TransactionInfoResponse: Codable, Hashable, Sendable {
    /// The transaction, signed at the time of the request.
    public var signedTransactionInfo: SignedTransaction

    /// Creates a response.
    public init(signedTransactionInfo: SignedTransaction) {
        self.signedTransactionInfo = signedTransactionInfo
    }
}

/// One page of a customer's transactions.
public struct HistoryResponse: Codable, Hashable, Sendable {
    /// The revision at the end of this page; send it to request the next page, or transactions that are added later.
    public var revision: String
    /// Whether the history has more transactions after this page.
    public var hasMore: Bool
    /// The app's bundle identifier.
    public var bundleId: BundleID
    /// The app's Apple ID in the App Store; absent in the sandbox.
    public var appAppleId: Int64?
    /// The server environment of the purchases.
    public var environment: String
    /// The transactions, at most twenty, signed at the time of the request.
    public var signedTransactions: [SignedTransaction]

    /// Creates a response.
    public init(
        revision: String, hasMore: Bool, bundleId: BundleID, appAppleId: Int64? = nil, environment: String,
        signedTransactions: [SignedTransaction]
    ) {
        self.revision = revision
        self.hasMore = hasMore
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environment = environment
        self.signedTransactions = signedTransactions
    }
}

/// A response with the purchases that belong to an order identifier from a customer's invoice.
public struct OrderLookupResponse: Codable, Hashable, Sendable {
    /// The status: 0 when the order has purchases in this app, 1 when it has none or does not exist.
    public var status: Int
    /// The purchases; absent when there are none.
    public var signedTransactions: [SignedTransaction]?

    /// Creates a response.
    public init(status: Int, signedTransactions: [SignedTransaction]? = nil) {
        self.status = status
        self.signedTransactions = signedTransactions
    }
}

/// One page of a customer's refunds.
public struct RefundHistoryResponse: Codable, Hashable, Sendable {
    /// The refunded transactions, at most twenty, earliest refund first.
    public var signedTransactions: [SignedTransaction]
    /// The revision at the end of this page; send it to request the next page.
    public var revision: String
    /// Whether the refund history has more refunds after this page.
    public var hasMore: Bool

    /// Creates a response.
    public init(signedTransactions: [SignedTransaction], revision: String, hasMore: Bool) {
        self.signedTransactions = signedTransactions
        self.revision = revision
        self.hasMore = hasMore
    }
}

/// A response with a customer's newest refunds.
public struct RefundLookupResponse: Codable, Hashable, Sendable {
    /// The refunded transactions, at most fifty.
    public var signedTransactions: [SignedTransaction]

    /// Creates a response.
    public init(signedTransactions: [SignedTransaction]) {
        self.signedTransactions = signedTransactions
    }
}

/// A response with a customer's app transaction.
public struct AppTransactionInfoResponse: Codable, Hashable, Sendable {
    /// The app transaction, signed at the time of the request.
    public var signedAppTransactionInfo: SignedAppTransaction

    /// Creates a response.
    public init(signedAppTransactionInfo: SignedAppTransaction) {
        self.signedAppTransactionInfo = signedAppTransactionInfo
    }
}
