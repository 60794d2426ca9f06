import Foundation
public import PurchaseModel
public import StoreProtocol
import Wire

extension StoreClient {
    /// Buys a product for an account without a device; the account is created if it does not exist.
    ///
    /// - Parameters:
    ///   - product: The product identifier.
    ///   - account: The account that pays.
    ///   - quantity: The quantity, from 1 to 10; more than one for consumables and non-renewing subscriptions only.
    ///   - app: The app that sells the product; nil for the store's first app.
    ///   - appAccountToken: The identifier of the customer of the developer's server; nil for none.
    ///   - offer: The offer to redeem; nil for none.
    ///   - billingPlan: The billing plan of a subscription; nil for the upfront plan.
    ///   - seats: The number of seats that the account has after the purchase; nil for a purchase that does not state a number.
    ///   - payment: The identifier of the payment, with which a repeated request charges nothing more; nil for a new payment.
    /// - Returns: The outcome. A refusal of the purchase, such as one of an unknown product, is an outcome and no error.
    /// - Throws: `refused` for an invalid request, such as one with an app that the store does not have.
    @discardableResult
    public func buy(
        _ product: ProductID, for account: AccountID, quantity: Int = 1, app: BundleID? = nil, appAccountToken: CustomerID? = nil,
        offer: StoreOffer? = nil, billingPlan: BillingPlanType? = nil, seats: Int? = nil, payment: PaymentID? = nil
    ) async throws(StoreControlError) -> StorePurchaseOutcome {
        let payment = payment ?? PaymentID(UUID())
        let request = BuyRequest(
            account: account, productID: product, quantity: quantity, bundleID: app, appAccountToken: appAccountToken,
            offer: offer?.choice, billingPlan: billingPlan, seats: seats, payment: payment)
        guard let outcome = StorePurchaseOutcome(try await call(ControlEndpoints.buy, request), payment) else {
            throw .invalidResponse(url, status: 200)
        }
        return outcome
    }

    /// Lists the transactions of an account, oldest first.
    ///
    /// - Parameter account: The account name.
    /// - Returns: The transactions, signed and with their payloads.
    /// - Throws: `refused` with the code `account.unknown` for an account that does not exist.
    public func transactions(of account: AccountID) async throws(StoreControlError) -> [TransactionDetails] {
        let reply = try await call(ControlEndpoints.transactions, ["account": account.rawValue])
        return zip(reply.signedTransactions, reply.summaries).map { signed, summary in
            TransactionDetails(account: account, signedTransaction: signed, summary: summary)
        }
    }

    /// Reads a transaction.
    ///
    /// - Parameter transaction: The transaction identifier.
    /// - Returns: The transaction with its account.
    /// - Throws: `refused` with the code `transaction.unknown` for a transaction that does not exist.
    public func transaction(_ transaction: TransactionID) async throws(StoreControlError) -> TransactionDetails {
        try await call(ControlEndpoints.transaction, ["transaction": transaction.rawValue])
    }

    /// Lists the Ask to Buy payments that await a parent's approval.
    ///
    /// - Returns: The payments, oldest first.
    public func approvals() async throws(StoreControlError) -> [PendingPayment] {
        try await call(ControlEndpoints.approvals).pending
    }

    /// Approves a payment that awaits a parent's approval, which charges the account.
    ///
    /// - Parameter payment: The identifier of the payment, from ``approvals()`` or ``StorePurchaseOutcome/deferred(_:)``.
    /// - Throws: `refused` for a payment that does not exist, or with the code `approval.decided` for one that was declined.
    public func approve(_ payment: PaymentID) async throws(StoreControlError) {
        _ = try await call(ControlEndpoints.decideApproval, DecisionRequest(approve: true), ["payment": payment.rawValue])
    }

    /// Declines a payment that awaits a parent's approval.
    ///
    /// - Parameter payment: The identifier of the payment, from ``approvals()`` or ``StorePurchaseOutcome/deferred(_:)``.
    /// - Throws: `refused` for a payment that does not exist, or with the code `approval.decided` for one that was approved.
    public func decline(_ payment: PaymentID) async throws(StoreControlError) {
        _ = try await call(ControlEndpoints.decideApproval, DecisionRequest(approve: false), ["payment": payment.rawValue])
    }

    /// Lists the interrupted payments.
    ///
    /// - Returns: The payments, oldest first.
    public func interruptions() async throws(StoreControlError) -> [PendingPayment] {
        try await call(ControlEndpoints.interruptions).pending
    }

    /// Resolves the interruption of a payment, which charges the account.
    ///
    /// - Parameter payment: The identifier of the payment, from ``interruptions()``.
    /// - Throws: `refused` for a payment that does not exist.
    public func resolveInterruption(of payment: PaymentID) async throws(StoreControlError) {
        _ = try await call(ControlEndpoints.resolveInterruption, ["payment": payment.rawValue])
    }

    /// Simulates a promoted in-app purchase, which a customer begins on the App Store; the account's device receives it.
    ///
    /// - Parameters:
    ///   - product: The identifier of the promoted product.
    ///   - account: The account that selects the product.
    ///   - app: The app that sells the product; nil for the store's first app.
    ///   - offerID: The identifier of a win-back offer for the purchase; nil for none.
    /// - Throws: `refused` if the account or the product does not exist.
    public func promote(
        _ product: ProductID, to account: AccountID, app: BundleID? = nil, offerID: String? = nil
    ) async throws(StoreControlError) {
        let request = PromotionRequest(account: account, productID: product, bundleID: app, offerID: offerID)
        _ = try await call(ControlEndpoints.promote, request)
    }

    /// Imports a customer's transaction history from the App Store into an account, which is created if it does not exist.
    ///
    /// The store signs the transactions again, regardless of their original signer.
    ///
    /// - Parameters:
    ///   - signedTransactions: The transactions of responses to Get Transaction History, in any order.
    ///   - signedRenewalInfos: The renewal info of responses to Get All Subscription Statuses; the newest of each subscription counts.
    ///   - account: The account that receives the history.
    ///   - app: The app that receives the history; nil for the app that the transactions name.
    /// - Returns: The numbers of imported, changed and skipped transactions.
    /// - Throws: `refused` for a history that the store can't read.
    @discardableResult
    public func importHistory(
        _ signedTransactions: [SignedTransaction], renewalInfos signedRenewalInfos: [SignedRenewalInfo] = [], into account: AccountID,
        app: BundleID? = nil
    ) async throws(StoreControlError) -> ImportHistoryReply {
        let request = ImportHistoryRequest(
            account: account, bundleID: app, signedTransactions: signedTransactions,
            signedRenewalInfos: signedRenewalInfos.isEmpty ? nil : signedRenewalInfos)
        return try await call(ControlEndpoints.importHistory, request)
    }
}
