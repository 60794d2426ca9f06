package import PurchaseModel

extension DeviceEndpoints {
    /// What this device has not finished, and what became of payments that waited for a parent.
    package static let unfinished = Endpoint<UnfinishedRequest, UnfinishedReply>(.post, "/device/v1/unfinished")
    /// Marks a transaction as delivered; doing it again changes nothing.
    package static let finish = Endpoint<FinishRequest, Empty>(.post, "/device/v1/finish")
}

/// Asks for what a device still has to deal with, a page at a time.
package struct UnfinishedRequest: Codable, Hashable, Sendable {
    /// Where the last page ended (``UnfinishedReply/next``); nil for the first.
    package var after: String?
    /// The app's version on the device, which an update may have changed since the sign-in; nil for the one that the store knows.
    package var appVersion: String?

    /// Creates a request.
    package init(after: String? = nil, appVersion: String? = nil) {
        self.after = after
        self.appVersion = appVersion
    }
}

/// What a device still has to deal with.
package struct UnfinishedReply: Codable, Hashable, Sendable {
    /// Transactions of this device that were not finished, oldest first.
    package var transactions: [UnfinishedTransaction]
    /// Payments that waited for a parent, who declined them; like all that follows, empty or nil unless this is the last page.
    package var declined: [PaymentID]
    /// What the customer chose outside the app; nil when there is nothing.
    package var promotions: [PromotedPurchase]?
    /// What the customer should be told; nil when there is nothing.
    package var messages: [StoreMessage]?
    /// The country's store of the account as it is now.
    package var storefront: Storefront?
    /// Where this page ends when there are more; nil on the last.
    package var next: String?

    /// How many transactions a reply holds at most.
    package static let limit = 1_000

    /// Creates a reply.
    package init(transactions: [UnfinishedTransaction], declined: [PaymentID], promotions: [PromotedPurchase]? = nil) {
        self.transactions = transactions
        self.declined = declined
        self.promotions = promotions
    }
}

/// One transaction that a device has not finished.
package struct UnfinishedTransaction: Codable, Hashable, Sendable {
    /// The payment it answers; nil for renewals, restores and purchases made elsewhere.
    package var payment: PaymentID?
    /// The transaction.
    package var transaction: SignedTransaction
    /// The first transaction, when this one restores it.
    package var restoredFrom: SignedTransaction?
    /// What the store hosts for the product; nil for nothing.
    package var content: HostedContent?

    /// Creates an element.
    package init(
        payment: PaymentID?, transaction: SignedTransaction, restoredFrom: SignedTransaction? = nil, content: HostedContent? = nil
    ) {
        self.payment = payment
        self.transaction = transaction
        self.restoredFrom = restoredFrom
        self.content = content
    }
}

/// A product that the customer chose outside the app, on its page in the store: the app decides whether to buy it now.
package struct PromotedPurchase: Codable, Hashable, Sendable {
    /// Counts up; a device that has dealt with it passes over it.
    package var id: Int64
    /// The product.
    package var productID: ProductID
    /// The win-back offer that goes with it.
    package var offerID: String?

    /// Creates an element.
    package init(id: Int64, productID: ProductID, offerID: String?) {
        self.id = id
        self.productID = productID
        self.offerID = offerID
    }
}

/// Something that the store wants the customer to be told in the app (`Message`).
package struct StoreMessage: Codable, Hashable, Sendable {
    /// What it is about; raw values are what StoreKit calls them.
    package enum Reason: String, Codable, Sendable {
        /// Anything else.
        case generic
        /// A subscription gets dearer and the customer has to agree.
        case priceIncreaseConsent
        /// A renewal could not be paid.
        case billingIssue
        /// The customer may come back at a lower price.
        case winBackOffer
    }

    /// The same for the same matter; a device that has shown it passes over it.
    package var id: String
    /// What it is about.
    package var reason: Reason
    /// The product.
    package var productID: ProductID
    /// The first transaction of the subscription.
    package var originalTransactionID: TransactionID

    /// Creates a message.
    package init(id: String, reason: Reason, productID: ProductID, originalTransactionID: TransactionID) {
        self.id = id
        self.reason = reason
        self.productID = productID
        self.originalTransactionID = originalTransactionID
    }
}

/// The transaction that was delivered.
package struct FinishRequest: Codable, Hashable, Sendable {
    /// The transaction.
    package var transaction: TransactionID
    /// Further ones, ``limit`` at most; those that the store does not know are passed over.
    package var further: [TransactionID]?

    /// How many further transactions a request may name.
    package static let limit = 1_000

    /// Creates a request.
    package init(transaction: TransactionID, further: [TransactionID]? = nil) {
        self.transaction = transaction
        self.further = further
    }
}
