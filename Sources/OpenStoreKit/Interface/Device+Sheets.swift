import PurchaseModel
import PurchaseProtocol
import Synchronization
import WireClient

/// The system's sheets without a window scene: Apple's calls take the window scene in which to show a sheet, and these go to the device's
/// ``StoreInterface``.
///
/// Each call throws the error that a test session simulates for the corresponding call of Apple's.
extension Device {
    /// Shows the user's subscriptions, to be canceled or changed; in the place of `AppStore.showManageSubscriptions(in:)`.
    ///
    /// - Parameter group: The group whose subscriptions are shown; nil for all.
    /// - Throws: ``PaymentFailure``.
    public func showManageSubscriptions(subscriptionGroupID group: String? = nil) async throws {
        try simulatedFailures.check(.manageSubscriptions)
        let sheet = SubscriptionsSheet(subscriptions: subscriptions(await statuses(), of: group))
        guard let change = await engine.interface.manage(sheet) else { return }
        try await engine.carryOut(change)
    }

    /// The subscriptions of a sheet, group by group in the order of the store's response.
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
    /// The purchase arrives as a transaction update. A cancellation is no error, because the sheet was shown.
    ///
    /// - Throws: ``PaymentFailure`` with the reason why the code was not redeemed; the sheet has shown the reason to the user.
    public func redeemOfferCode() async throws {
        try simulatedFailures.check(.offerCodeRedeem)
        await engine.ready()
        try await engine.redeemOfferCode()
    }

    /// Asks the user to consent to each unanswered price increase that was delivered to the app as a `Message`.
    ///
    ///
    ///
    /// The call stands in the place of `Message.display(in:)`, which has nothing to show here for other messages. When an answer does not
    /// reach the store, the price increase still needs consent.
    public func showPriceConsent() async {
        for message in priceIncreases.withLock({ $0 }) where message.deliveryID.account == account {
            guard (try? await engine.askConsent(message.value)) == true else { continue }
            priceIncreases.withLock { $0.removeAll { $0 == message } }
        }
    }

    /// The outcome of a refund request.
    public enum RefundRequestStatus: Hashable, Sendable {
        /// The user has requested a refund; the store approves or declines it later.
        case success
        /// The user canceled.
        case userCancelled
    }

    /// The reason why a refund could not be requested.
    public enum RefundRequestError: Error, Hashable, Sendable {
        /// A refund was already requested or granted.
        case duplicateRequest
        /// The store did not accept the request.
        case failed
    }

    /// Asks the user for the reason of a refund request, and sends the request to the store; in the place of
    /// `Transaction.beginRefundRequest(in:)`.
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

    /// The error of a refund request that the store did not accept.
    static func refundError(_ error: WireClientError) -> any Error {
        switch error {
        case .unreachable, .unintelligible: PaymentFailure(error)
        case .refused(409, let wire) where wire.code == "refund-request.duplicate": RefundRequestError.duplicateRequest
        case .refused: RefundRequestError.failed
        }
    }
}
