package import PurchaseModel

extension DeviceEndpoints {
    /// Lists the device's unfinished transactions, and the declined Ask to Buy payments.
    package static let unfinished = Endpoint<UnfinishedRequest, UnfinishedReply>(.post, "/device/v1/unfinished")
    /// Finishes a transaction; finishing it again changes nothing.
    package static let finish = Endpoint<FinishRequest, Empty>(.post, "/device/v1/finish")
}

/// A request for one page of a device's unfinished transactions and pending deliveries.
package struct UnfinishedRequest: Codable, Hashable, Sendable {
    /// The end of the previous page (``UnfinishedReply/paginationToken``); nil for the first page.
    package var paginationToken: String?
    /// The app version on the device, which an update can change after the sign-in; nil for the version that the store knows.
    package var appVersion: String?

    /// Creates a request.
    package init(paginationToken: String? = nil, appVersion: String? = nil) {
        self.paginationToken = paginationToken
        self.appVersion = appVersion
    }
}

/// A device's unfinished transactions and pending deliveries.
package struct UnfinishedReply: Codable, Hashable, Sendable {
    /// The unfinished transactions of this device, oldest first.
    package var transactions: [UnfinishedTransaction]
    /// Ask to Buy payments that a parent declined; like all following members, empty or nil except on the last page.
    package var declined: [PaymentID]
    /// The promoted in-app purchases that the customer began outside the app; nil when there are none.
    package var promotions: [PromotedPurchase]?
    /// The App Store messages for the customer; nil when there are none.
    package var messages: [StoreMessage]?
    /// The current storefront of the account.
    package var storefront: Storefront?
    /// The end of this page when more pages follow; nil on the last page.
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

/// One unfinished transaction of a device.
package struct UnfinishedTransaction: Codable, Hashable, Sendable {
    /// The payment of the transaction; nil for renewals, restores and purchases from outside this device.
    package var payment: PaymentID?
    /// The transaction.
    package var signedTransaction: SignedTransaction
    /// The original transaction, when this transaction restores it.
    package var restoredFrom: SignedTransaction?
    /// The hosted content of the product; nil without content.
    package var content: HostedContent?

    /// Creates an element.
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
    /// The sequence number; a device ignores a promoted purchase that it has processed.
    package var id: Int64
    /// The product.
    package var productID: ProductID
    /// The win-back offer of the promoted purchase.
    package var offerID: String?

    /// Creates an element.
    package init(id: Int64, productID: ProductID, offerID: String?) {
        self.id = id
        self.productID = productID
        self.offerID = offerID
    }
}

/// An App Store message for the customer, which the app displays (`Message`).
package struct StoreMessage: Codable, Hashable, Sendable {
    /// The reason for the message; the raw values are StoreKit's names.
    package enum Reason: String, Codable, Sendable {
        /// The message has another reason.
        case generic
        /// A price increase of a subscription requires the customer's consent.
        case priceIncreaseConsent
        /// A renewal failed because of a billing issue.
        case billingIssue
        /// The customer is eligible for a win-back offer.
        case winBackOffer
    }

    /// The message identifier, the same for each delivery of a message; a device ignores a message that it has displayed.
    package var id: String
    /// The reason for the message.
    package var reason: Reason
    /// The product.
    package var productID: ProductID
    /// The original transaction identifier of the subscription.
    package var originalTransactionID: TransactionID

    /// Creates a message.
    package init(id: String, reason: Reason, productID: ProductID, originalTransactionID: TransactionID) {
        self.id = id
        self.reason = reason
        self.productID = productID
        self.originalTransactionID = originalTransactionID
    }
}

/// A request to finish delivered transactions.
package struct FinishRequest: Codable, Hashable, Sendable {
    /// The transaction.
    package var transactionID: TransactionID
    /// Further transactions to finish, at most ``limit``; the store ignores unknown transactions.
    package var furtherTransactionIDs: [TransactionID]?

    /// The maximum number of further transactions in a request.
    package static let limit = 1_000

    /// Creates a request.
    package init(transactionID: TransactionID, furtherTransactionIDs: [TransactionID]? = nil) {
        self.transactionID = transactionID
        self.furtherTransactionIDs = furtherTransactionIDs
    }
}
