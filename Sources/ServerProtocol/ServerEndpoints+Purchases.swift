package import Foundation
package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Verifies and records proofs of purchases; a repeated request has no further effect.
    ///
    /// With the query parameter `wait=webhook`, the answer waits up to ten seconds for the acknowledgments of the webhook endpoints.
    package static let purchases = Endpoint<SubmitPurchasesRequest, SubmitPurchasesReply>(.post, "/v1/purchases")
}

/// A proof of a purchase; exactly one member has a value.
package struct PurchaseProofInput: Codable, Hashable, Sendable {
    /// A transaction as a JWS from the App Store.
    package var signedTransaction: SignedTransaction?
    /// An app receipt, as PKCS #7.
    package var receipt: Data?
    /// The receipt of one transaction (`SKPaymentTransaction.transactionReceipt`, iOS 6 and earlier).
    package var transactionReceipt: Data?
    /// The identifier of a transaction, which the server looks up with the App Store Server API.
    package var transactionID: TransactionID?

    package init(
        signedTransaction: SignedTransaction? = nil, receipt: Data? = nil, transactionReceipt: Data? = nil,
        transactionID: TransactionID? = nil
    ) {
        self.signedTransaction = signedTransaction
        self.receipt = receipt
        self.transactionReceipt = transactionReceipt
        self.transactionID = transactionID
    }
}

/// A request to verify and record purchases.
package struct SubmitPurchasesRequest: Codable, Hashable, Sendable {
    /// The proofs of purchases, at most 100.
    package var proofs: [PurchaseProofInput]
    /// StoreKit's `AppStore.deviceVerificationID`, which proves that signed transactions were issued to this device; nil if unknown.
    package var deviceVerificationID: UUID?
    /// The device's `identifierForVendor`, which proves that an app receipt was issued to this device; nil if unknown.
    package var vendorID: DeviceID?

    package init(proofs: [PurchaseProofInput], deviceVerificationID: UUID? = nil, vendorID: DeviceID? = nil) {
        self.proofs = proofs
        self.deviceVerificationID = deviceVerificationID
        self.vendorID = vendorID
    }
}

/// The result of each proof, and the balances after the submission.
package struct SubmitPurchasesReply: Codable, Hashable, Sendable {
    /// The customer of the request; nil for a request without a customer.
    package var customer: CustomerID?
    /// The result of each proof, in the order of the request.
    package var results: [ProofResult]
    /// The customer's balances after the submission; empty for a request without a customer.
    package var balances: [BalanceReply]
    /// The state of the messages about the customer; nil for a request without `wait=webhook`.
    package var webhook: WebhookAcknowledgment?

    package init(customer: CustomerID?, results: [ProofResult], balances: [BalanceReply]) {
        self.customer = customer
        self.results = results
        self.balances = balances
    }
}

/// The state of the messages about a customer to the webhook endpoints.
package enum WebhookAcknowledgment: String, Codable, Hashable, Sendable {
    /// The endpoints have acknowledged all messages.
    case acknowledged
    /// A message waits for an acknowledgment.
    case pending
    /// No enabled endpoint receives events.
    case none
}

/// The result of one proof.
package struct ProofResult: Codable, Hashable, Sendable {
    /// The outcome of the verification.
    package enum Status: String, Codable, Hashable, Sendable {
        /// The proof is authentic, and its purchases are recorded.
        case verified
        /// The proof is not authentic, or not for this app; a repeated request has the same result.
        case refused
        /// The proof could not be verified now; the same request can succeed later.
        case indeterminate
    }

    /// The outcome of the verification.
    package var status: Status
    /// The error code of a refused or indeterminate result; nil for a verified proof.
    package var code: String?
    /// The reason of a refused or indeterminate result; nil for a verified proof.
    package var message: String?
    /// The purchases of a verified proof.
    package var purchases: [SubmittedPurchase]

    /// Creates the result of a verified proof.
    package init(purchases: [SubmittedPurchase]) {
        status = .verified
        self.purchases = purchases
    }

    /// Creates the result of a proof that was not verified.
    package init(status: Status, error: WireError) {
        self.status = status
        code = error.code
        message = error.message
        purchases = []
    }
}

/// A recorded transaction of a submission.
package struct SubmittedPurchase: Codable, Hashable, Sendable {
    /// The status of a purchase's fulfillment for the request's customer.
    package enum Fulfillment: String, Codable, Hashable, Sendable {
        /// The customer has the purchase with its credits and entitlements; the app can finish the transaction.
        case complete
        /// The purchase belongs to no customer yet, because the transaction has no `appAccountToken`, and the request proved no device.
        case unattributed
        /// The catalog lacks the product; the server adds the credits after an operator adds the product to the catalog.
        case unknownProduct = "unknown-product"
        /// The purchase belongs to another customer, under the transfer policy `keep`, or because the product is a consumable.
        case otherCustomer = "other-customer"
        /// The purchase stays with another customer, because the transfer limit is reached.
        case transferLimit = "transfer-limit"
    }

    package var transactionID: TransactionID
    package var originalTransactionID: TransactionID
    package var productID: ProductID
    /// The status of the purchase's fulfillment for the request's customer.
    package var fulfillment: Fulfillment
    /// The previous owner of a transferred purchase, or the owner of a shared purchase; nil for any other purchase.
    package var previousCustomer: CustomerID?
    /// Whether the previous customer still has the purchase, under the transfer policy `share`; nil for false.
    package var isShared: Bool?
    /// The credits that the transaction added to the customer's balance, less revoked credits.
    ///
    /// The number is 0 for a restore, a Family Sharing entitlement, a repeated purchase of an owned product, and a transaction that added
    /// its credits to another customer.
    package var credits: Int64
    /// Whether the server had recorded this transaction before.
    package var isKnown: Bool

    package init(
        transactionID: TransactionID, originalTransactionID: TransactionID, productID: ProductID, fulfillment: Fulfillment,
        previousCustomer: CustomerID?, isShared: Bool = false, credits: Int64, isKnown: Bool
    ) {
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        self.fulfillment = fulfillment
        self.previousCustomer = previousCustomer
        self.isShared = isShared ? true : nil
        self.credits = credits
        self.isKnown = isKnown
    }
}
