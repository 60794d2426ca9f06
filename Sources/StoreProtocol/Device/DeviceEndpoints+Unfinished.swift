package import PurchaseModel
package import Wire

extension DeviceEndpoints {
    /// Lists the device's unfinished transactions, and the promoted in-app purchases and messages for the account.
    package static let unfinished = Endpoint<UnfinishedRequest, UnfinishedReply>(.post, "/device/v1/unfinished")
    /// Finishes transactions; a repeated request changes nothing.
    package static let finish = Endpoint<FinishRequest, Empty>(.post, "/device/v1/finish")
}

/// A request for a page of a device's unfinished transactions.
package struct UnfinishedRequest: Codable, Hashable, Sendable {
    /// The token of the previous page (``UnfinishedReply/paginationToken``); nil for the first page.
    package var paginationToken: String?
    /// The app version on the device, which can change after the sign-in; nil for the version that the device sent last.
    package var appVersion: String?

    /// Creates a request.
    package init(paginationToken: String? = nil, appVersion: String? = nil) {
        self.paginationToken = paginationToken
        self.appVersion = appVersion
    }
}

/// A page of a device's unfinished transactions; the last page also has the promoted in-app purchases and messages for the account.
package struct UnfinishedReply: Codable, Hashable, Sendable {
    /// The unfinished transactions of this device, oldest first; at most ``limit``.
    package var transactions: [UnfinishedTransaction]
    /// The Ask to Buy payments that a parent declined; empty except on the last page.
    package var declined: [PaymentID]
    /// The promoted in-app purchases that the customer began outside the app; nil for none, and except on the last page.
    package var promotions: [PromotedPurchase]?
    /// The store's messages for the customer; nil for none, and except on the last page.
    package var messages: [StoreMessage]?
    /// The current storefront of the account; nil except on the last page.
    package var storefront: Storefront?
    /// The token for the next page; nil on the last page.
    package var paginationToken: String?

    /// The maximum number of transactions in a reply.
    package static let limit = 1_000

    /// Creates a reply.
    package init(transactions: [UnfinishedTransaction], declined: [PaymentID], promotions: [PromotedPurchase]? = nil) {
        self.transactions = transactions
        self.declined = declined
        self.promotions = promotions
    }
}

/// An unfinished or restored transaction of a device.
package struct UnfinishedTransaction: Codable, Hashable, Sendable {
    /// The payment of the transaction; nil for renewals, restored transactions and purchases outside this device.
    package var payment: PaymentID?
    /// The transaction as the store signed it.
    package var signedTransaction: SignedTransaction
    /// The original transaction that this transaction restores; nil if the transaction is not restored.
    package var restoredFrom: SignedTransaction?
    /// The description of the product's hosted content; nil for none.
    package var content: HostedContent?

    /// Creates an entry of the list.
    package init(
        payment: PaymentID?, signedTransaction: SignedTransaction, restoredFrom: SignedTransaction? = nil, content: HostedContent? = nil
    ) {
        self.payment = payment
        self.signedTransaction = signedTransaction
        self.restoredFrom = restoredFrom
        self.content = content
    }
}

/// A promoted in-app purchase from the product's page in the App Store; the app decides whether to continue it.
package struct PromotedPurchase: Codable, Hashable, Sendable {
    /// The sequence number of the promoted in-app purchase; a device ignores a number that it has processed.
    package var id: Int64
    /// The identifier of the promoted product.
    package var productID: ProductID
    /// The identifier of the win-back offer; nil for none.
    package var offerID: String?

    /// Creates a promoted in-app purchase.
    package init(id: Int64, productID: ProductID, offerID: String?) {
        self.id = id
        self.productID = productID
        self.offerID = offerID
    }
}

/// A message of the App Store for the customer, which the app displays (`Message`).
package struct StoreMessage: Codable, Hashable, Sendable {
    /// The reason for the message; the raw values are StoreKit's names.
    package enum Reason: String, Codable, Sendable {
        /// The store states no specific reason.
        case generic
        /// A price increase of a subscription requires the customer's consent.
        case priceIncreaseConsent
        /// A renewal failed because of a billing issue.
        case billingIssue
        /// The customer is eligible for a win-back offer.
        case winBackOffer
    }

    /// The message identifier, the same for each delivery; a device ignores a message that the app has handled.
    package var id: String
    /// The reason for the message.
    package var reason: Reason
    /// The identifier of the product that the message concerns.
    package var productID: ProductID
    /// The original transaction identifier of the subscription that the message concerns.
    package var originalTransactionID: TransactionID

    /// Creates a message.
    package init(id: String, reason: Reason, productID: ProductID, originalTransactionID: TransactionID) {
        self.id = id
        self.reason = reason
        self.productID = productID
        self.originalTransactionID = originalTransactionID
    }
}

/// A request to finish transactions that the app has delivered.
package struct FinishRequest: Codable, Hashable, Sendable {
    /// The identifier of a transaction; the store refuses the request if it does not know the transaction.
    package var transactionID: TransactionID
    /// The identifiers of additional transactions, at most ``limit``; the store ignores transactions that it does not know.
    package var furtherTransactionIDs: [TransactionID]?

    /// The maximum number of ``furtherTransactionIDs`` in a request.
    package static let limit = 1_000

    /// Creates a request.
    package init(transactionID: TransactionID, furtherTransactionIDs: [TransactionID]? = nil) {
        self.transactionID = transactionID
        self.furtherTransactionIDs = furtherTransactionIDs
    }
}
