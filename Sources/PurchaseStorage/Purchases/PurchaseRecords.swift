public import PurchaseModel
public import PurchaseProof

/// A verified event of a purchase for the entitlement projection, with its signed data.
public struct VerifiedEvent: Hashable, Sendable {
    /// The signed data of an event.
    public enum Evidence: Hashable, Sendable {
        /// A transaction, with the renewal info from the same message.
        case transaction(SignedTransaction, SignedRenewalInfo?)
        /// The bytes of the app receipt that contains the transaction, or of the receipt of one transaction.
        case receipt([UInt8])
    }

    /// The signed data, whose signature was verified.
    public let evidence: Evidence
    /// The decoded event.
    public package(set) var event: SignedEvent

    /// Creates an event from a transaction and its renewal info; returns nil if the renewal info belongs to another purchase.
    ///
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - renewalInfo: The renewal info from the same message; nil without renewal info.
    ///   - source: The type of the notification, such as `DID_RENEW`, or `app` for a transaction that an app sent.
    public init?(_ transaction: VerifiedTransaction, _ renewalInfo: VerifiedRenewalInfo? = nil, source: String) {
        if let renewalInfo, renewalInfo.payload.originalTransactionId != transaction.payload.originalTransactionId { return nil }
        evidence = .transaction(transaction.original, renewalInfo?.original)
        event = SignedEvent(transaction: transaction.payload, renewal: renewalInfo?.payload, source: source)
    }

    /// Creates an event from one purchase of an app receipt.
    ///
    /// A receipt contains less than a signed transaction: no `appAccountToken`, and often neither product type nor ownership. The signature
    /// date of the event is the cancellation date or the purchase date, so a transaction with a later signature takes precedence. For a
    /// renewal that was charged ahead, the signature date is the receipt's creation date, which is before the purchase date.
    public init(_ purchase: ReceiptPurchase, in receipt: VerifiedReceipt) {
        var transaction = TransactionPayload(
            transactionId: purchase.transactionID, originalTransactionId: purchase.originalTransactionID,
            bundleId: receipt.payload.bundleID, productId: purchase.productID, purchaseDate: purchase.purchaseDate,
            originalPurchaseDate: purchase.originalPurchaseDate, quantity: purchase.quantity, type: "",
            signedDate: purchase.cancellationDate ?? min(purchase.purchaseDate, receipt.payload.creationDate),
            environment: receipt.payload.environment.rawValue)
        transaction.type = purchase.productType?.rawValue
        transaction.inAppOwnershipType = purchase.ownership == 1 ? Ownership.familyShared.rawValue : nil
        transaction.webOrderLineItemId = purchase.webOrderLineItemID
        transaction.expiresDate = purchase.expiresDate
        transaction.revocationDate = purchase.cancellationDate
        evidence = .receipt(receipt.original)
        event = SignedEvent(transaction: transaction, source: "receipt")
    }

    /// Creates an event from the receipt of one transaction (iOS 6 and earlier), which states neither product type nor token.
    ///
    /// - Parameters:
    ///   - receipt: The verified receipt.
    ///   - environment: The environment in which the App Store confirmed the receipt; the signature does not cover the environment.
    public init(_ receipt: VerifiedTransactionReceipt, confirmedIn environment: AppEnvironment) {
        let payload = receipt.payload
        var transaction = TransactionPayload(
            transactionId: payload.transactionID, originalTransactionId: payload.originalTransactionID, bundleId: payload.bundleID,
            productId: payload.productID, purchaseDate: payload.purchaseDate, originalPurchaseDate: payload.originalPurchaseDate,
            quantity: payload.quantity, type: "", signedDate: payload.cancellationDate ?? payload.purchaseDate,
            environment: environment.rawValue)
        transaction.type = nil
        transaction.inAppOwnershipType = payload.ownershipType
        transaction.webOrderLineItemId = payload.webOrderLineItemID
        transaction.expiresDate = payload.expiresDate
        transaction.revocationDate = payload.cancellationDate
        evidence = .receipt(receipt.original)
        event = SignedEvent(transaction: transaction, source: "transaction receipt")
    }
}

extension VerifiedEvent {
    /// Returns whether the event must be stored.
    ///
    /// An event from a receipt is redundant if its transaction is stored with the same or a later signature date. A refreshed receipt
    /// repeats every purchase, without an effect on the entitlements. A revocation that the stored version lacks is always stored, because
    /// the revocation shows that the newer version reversed a refund.
    package func isNeeded(in records: any StorageTransaction) throws -> Bool {
        guard case .receipt = evidence else { return true }
        let transaction = event.transaction
        guard let stored = try records.transaction(transaction.transactionId, of: transaction.originalTransactionId),
            stored.transaction.signedDate >= transaction.signedDate
        else { return true }
        return transaction.isRevoked && !stored.transaction.isRevoked
    }
}

/// A stored event of a purchase, without its signed data.
public struct ReceivedEvent: Hashable, Sendable {
    /// The decoded event.
    public let event: SignedEvent
    /// The date when the server received the event.
    public let receivedAt: Timestamp

    /// Creates a value from the columns of a row.
    public init(event: SignedEvent, receivedAt: Timestamp) {
        self.event = event
        self.receivedAt = receivedAt
    }
}

/// A stored event of a purchase, with its signed data.
public struct StoredEvent: Hashable, Sendable {
    /// The signed data, whose signature was verified before it was stored.
    public let evidence: VerifiedEvent.Evidence
    /// The decoded event.
    public let event: SignedEvent
    /// The date when the server received the event.
    public let receivedAt: Timestamp

    /// Creates a value from the columns of a row.
    public init(evidence: VerifiedEvent.Evidence, event: SignedEvent, receivedAt: Timestamp) {
        self.evidence = evidence
        self.event = event
        self.receivedAt = receivedAt
    }
}

/// A purchase: all transactions with one `originalTransactionId`.
public struct PurchaseRecord: Hashable, Sendable {
    /// The reason why a customer has a purchase.
    public enum Attribution: String, Codable, Hashable, Sendable {
        /// The transaction's `appAccountToken` names the customer.
        case appAccountToken = "app-account-token"
        /// The device verification proved that the customer's device made the purchase.
        case deviceVerification = "device-verification"
        /// A backend with a secret key named the customer.
        case backend
        /// The customer submitted the purchase first, with a receipt that does not prove the device of the purchase.
        case firstSubmission = "first-submission"
        /// The purchase belongs to another customer, and is shared under the policy `share`.
        case shared
    }

    /// The identifier of the purchase.
    public let originalTransactionID: TransactionID
    /// The entitlements that result from all events of the purchase.
    public var timeline: EntitlementTimeline
    /// The customer to whom the purchase belongs; nil for an unattributed purchase.
    public var customer: CustomerID?
    /// The reason why the customer has the purchase; nil for an unattributed purchase.
    public var attribution: Attribution?
    /// The other customers who share the purchase under the transfer policy `share`.
    public var sharedWith: [CustomerID]

    /// Creates a record.
    public init(
        timeline: EntitlementTimeline, customer: CustomerID? = nil, attribution: Attribution? = nil, sharedWith: [CustomerID] = []
    ) {
        originalTransactionID = timeline.latest.originalTransactionID
        self.timeline = timeline
        self.customer = customer
        self.attribution = attribution
        self.sharedWith = sharedWith
    }
}

extension PurchaseRecord {
    /// The entitlement of the latest period; a period that was charged ahead begins in the future.
    public var entitlement: Entitlement { timeline.latest }
}

/// Reads and writes an app's purchases and their signed events within one database transaction.
public protocol PurchaseRecords {
    /// Stores an event, and returns whether the stored rows changed.
    ///
    /// The signed data and the source identify an event with renewal info. The transaction, without the members that differ between its
    /// signatures, and the source identify any other event, because the App Store signs the same transaction again for each request, and a
    /// receipt has any number of encodings. Among events with the same identity, the storage keeps the event with the latest signature
    /// date, and the first event among equal dates. The storage keeps all events with renewal info, because entitlements at past dates
    /// depend on these events; a repeated submission adds no event.
    func insert(_ event: VerifiedEvent, receivedAt: Timestamp) throws -> Bool

    /// Stores the first event of a purchase.
    ///
    /// A storage may omit the reads of ``insert(_:receivedAt:)``; the default implementation calls ``insert(_:receivedAt:)``.
    func insertFirst(_ event: VerifiedEvent, receivedAt: Timestamp) throws

    /// Returns the events of a purchase with the latest signature dates, at most `limit`, in the order of the dates.
    func events(of purchase: TransactionID, limit: Int) throws -> [ReceivedEvent]

    /// Returns the events that determine the entitlement of a purchase; nil for an unknown purchase.
    ///
    /// The result equals `DecidingEvents(of:)` with all events of the purchase. The cost does not depend on the number of events.
    func decidingEvents(of purchase: TransactionID) throws -> DecidingEvents?

    /// Returns the `appAccountToken` of a period, by its `TransactionPayload.periodID`; nil if no transaction of the purchase has a token.
    ///
    /// For a period without a token, the result is the token of the transaction that is paid until the latest date.
    func appAccountToken(of purchase: TransactionID, in period: String) throws -> CustomerID?

    /// Returns the newest version of a transaction; nil for an unknown transaction.
    func transaction(_ id: TransactionID, of purchase: TransactionID) throws -> SignedEvent?

    /// Returns the newest version of each transaction of a purchase, in the order of the periods.
    ///
    /// The cost grows with the number of transactions.
    func transactions(of purchase: TransactionID) throws -> [SignedEvent]

    /// Returns the newest versions of at most `limit` transactions of all purchases, latest purchase first.
    func latestTransactions(limit: Int) throws -> [SignedEvent]

    /// Returns the revoked percentage of a charge, computed with `CreditRule.revokedPercentage(by:)` from all versions of the charge's
    /// transactions.
    func revokedPercentage(ofCharge charge: String, of purchase: TransactionID) throws -> Int

    /// Returns a purchase; nil for an unknown purchase.
    func purchase(_ purchase: TransactionID) throws -> PurchaseRecord?

    /// Inserts or replaces a purchase.
    func put(_ purchase: PurchaseRecord) throws

    /// Inserts a purchase, or replaces a purchase that the caller has read.
    ///
    /// A storage may omit the reads of `put(_:)`; the default implementation calls `put(_:)`.
    ///
    /// - Parameters:
    ///   - purchase: The purchase to store.
    ///   - stored: The stored purchase; nil for an unknown purchase.
    func put(_ purchase: PurchaseRecord, replacing stored: PurchaseRecord?) throws

    /// Returns the purchases that belong to a customer or are shared with the customer, ordered by identifier.
    func purchases(of customer: CustomerID) throws -> [PurchaseRecord]

    /// Returns a customer's purchases with an entitlement for a product, ordered by identifier.
    ///
    /// The cost does not depend on the number of the customer's other purchases.
    func purchases(of customer: CustomerID, product: ProductID) throws -> [PurchaseRecord]

    /// Returns the distinct products in the entitlements of a customer's purchases, in the order of their identifiers.
    ///
    /// The cost does not depend on the number of purchases of a product.
    func products(of customer: CustomerID) throws -> [ProductID]

    /// Returns a customer's holdings, in one read of the database.
    ///
    /// - Parameters:
    ///   - customer: The customer.
    ///   - limit: The maximum number of purchases, of all products.
    ///   - includes: Returns whether the result contains the purchases of a product.
    /// - Returns: Nil if the customer has more purchases than `limit`.
    func holdings(of customer: CustomerID, limit: Int, of includes: (ProductID) -> Bool) throws -> CustomerHoldings?

    /// Returns the stored events that determine the entitlement of a purchase, in the order of their signature dates.
    ///
    /// `EntitlementProjection.evidence(of:)` selects the events from ``decidingEvents(of:)``: the newest renewal info and the events of the
    /// latest period, and the events of earlier periods if the entitlement timeline depends on these periods.
    func decidingEvidence(of purchase: TransactionID) throws -> [StoredEvent]

    /// Appends a claim to the claims of its purchase.
    func insert(_ claim: PurchaseClaim) throws

    /// Returns the claims of a purchase, oldest first.
    func claims(of purchase: TransactionID) throws -> [PurchaseClaim]
}

extension PurchaseRecords {
    /// Stores the first event of a purchase.
    public func insertFirst(_ event: VerifiedEvent, receivedAt: Timestamp) throws {
        _ = try insert(event, receivedAt: receivedAt)
    }

    /// Inserts a purchase, or replaces a purchase that the caller has read.
    public func put(_ purchase: PurchaseRecord, replacing stored: PurchaseRecord?) throws {
        try put(purchase)
    }
}
