import PurchaseModel
import PurchaseProtocol
import Synchronization
import WireClient

/// The system's own sheets, where Apple's calls take the window scene in which to show one. There are none here: the sheets go to the
/// device's ``StoreInterface``.
///
/// Each throws what a test session simulates for the call that it stands for.
extension Device {
    /// Shows the user's subscriptions, to be cancelled or changed; in the place of `AppStore.showManageSubscriptions(in:)`.
    ///
    /// - Parameter group: The group whose subscriptions are shown; nil for all.
    /// - Throws: ``PaymentFailure``.
    public func showManageSubscriptions(subscriptionGroupID group: String? = nil) async throws {
        try simulatedFailures.check(.manageSubscriptions)
        let sheet = SubscriptionsSheet(subscriptions: subscriptions(await statuses(), of: group))
        guard let change = await engine.interface.manage(sheet) else { return }
        try await engine.carryOut(change)
    }

    /// What a sheet shows of subscriptions, group by group in the order in which the store tells them.
    private func subscriptions(_ statuses: [PurchasesReply.Status], of group: String?) -> [SubscriptionsSheet.Subscription] {
        var groups: [SubscriptionGroupID] = []
        for status in statuses where !groups.contains(status.group) { groups.append(status.group) }
        return groups.filter { group == nil || $0.rawValue == group }.flatMap { group in
            statuses.filter { $0.group == group }.compactMap { status in
                guard let transaction = status.transaction.unverifiedPayload, let renewal = status.renewalInfo.unverifiedPayload else {
                    return nil
                }
                return SubscriptionsSheet.Subscription(
                    transaction: transaction.transactionId, productID: transaction.productId, renews: renewal.renewal == .on)
            }
        }
    }

    /// Asks the user for an offer code and has the store redeem it; in the place of `AppStore.presentOfferCodeRedeemSheet(in:)`.
    ///
    /// What was bought comes like other news. A cancel is no error, as the sheet was shown.
    ///
    /// - Throws: ``PaymentFailure`` that says why the code was not redeemed; the user was told.
    public func redeemOfferCode() async throws {
        try simulatedFailures.check(.offerCodeRedeem)
        await engine.ready()
        try await engine.redeemOfferCode()
    }

    /// Asks the user about each price increase that the app was told of as a `Message` and that they have not answered; in the place of
    /// `Message.display(in:)`, which has nothing to show here for other messages.
    ///
    /// An answer that does not reach the store leaves the question open.
    public func showPriceConsent() async {
        for message in priceIncreases.withLock({ $0 }) where message.deliveryID.account == account {
            guard (try? await engine.askConsent(message.value)) == true else { continue }
            priceIncreases.withLock { $0.removeAll { $0 == message } }
        }
    }

    /// How a refund request ended.
    public enum RefundRequestStatus: Hashable, Sendable {
        /// The user has asked for a refund; whether it is granted is decided later.
        case success
        /// The user cancelled.
        case userCancelled
    }

    /// Why a refund could not be requested.
    public enum RefundRequestError: Error, Hashable, Sendable {
        /// A refund was requested before, or granted.
        case duplicateRequest
        /// The store did not take the request.
        case failed
    }

    /// Asks the user why a transaction is to be refunded, and tells the store; in the place of `Transaction.beginRefundRequest(in:)`.
    ///
    /// - Throws: ``RefundRequestError``, or ``PaymentFailure`` when the store can't be reached.
    public func beginRefundRequest(for transactionID: UInt64) async throws -> RefundRequestStatus {
        try simulatedFailures.check(.refundRequest)
        let transaction = TransactionID("\(transactionID)")
        let product = await purchases(.transaction(transaction)).first?.transaction.unverifiedPayload?.productId
        let sheet = RefundSheet(productID: product ?? "", transaction: transaction)
        guard let reason = await engine.interface.refundReason(sheet) else { return .userCancelled }
        await engine.ready()
        do throws(WireClientError) {
            switch try await engine.ask(DeviceEndpoints.requestRefund, RefundRequest(transaction: transaction, reason: reason)) {
            case .response: return .success
            case .cancelled: return .userCancelled
            case .anotherAccount: throw WireClientError.refused(status: 404, WireError(code: "transaction.unknown", message: ""))
            }
        } catch {
            throw Self.refundError(error)
        }
    }

    /// The error of a refund request that the store did not take.
    static func refundError(_ error: WireClientError) -> any Error {
        switch error {
        case .unreachable, .unintelligible: PaymentFailure(error)
        case .refused(409, let wire) where wire.code == "refund-request.duplicate": RefundRequestError.duplicateRequest
        case .refused: RefundRequestError.failed
        }
    }
}
