package import PurchaseModel
import StoreProtocol
import Synchronization
import Wire

/// The store's sheets for platforms without window scenes.
///
/// Apple's functions take the window scene in which a sheet is shown. These functions show the sheet through the device's
/// ``StoreInterface``. A function throws the error that a test session simulates for Apple's corresponding function.
extension Device {
    /// Shows the user's subscriptions and carries out the user's change; replaces `AppStore.showManageSubscriptions(in:)`.
    ///
    /// - Parameter group: The subscription group whose subscriptions are shown; nil for all groups.
    /// - Throws: ``PaymentFailure`` if the store did not carry out the change.
    public func showManageSubscriptions(subscriptionGroupID group: String? = nil) async throws {
        try simulatedFailures.check(.manageSubscriptions)
        let sheet = SubscriptionsSheet(subscriptions: subscriptions(await statuses(), of: group))
        guard let change = await engine.interface.manage(sheet) else { return }
        try await engine.request { (engine) async throws(PaymentFailure) in try await engine.sheets.perform(change) }
    }

    /// Returns the subscriptions for the sheet, group by group in the order of the store's response.
    private func subscriptions(_ statuses: [HistoryReply.Status], of group: String?) -> [SubscriptionsSheet.Subscription] {
        var groups: [SubscriptionGroupID] = []
        for status in statuses where !groups.contains(status.group) { groups.append(status.group) }
        return groups.filter { group == nil || $0.rawValue == group }.flatMap { group in
            statuses.filter { $0.group == group }.compactMap { status in
                guard let transaction = status.signedTransaction.unverifiedPayload,
                    let renewal = status.signedRenewalInfo.unverifiedPayload
                else { return nil }
                // Within a commitment, its own status states whether the customer canceled.
                let status = renewal.commitmentInfo?.autoRenewStatus ?? renewal.autoRenew
                return SubscriptionsSheet.Subscription(
                    transaction: transaction.transactionId, productID: transaction.productId, willAutoRenew: status == .on)
            }
        }
    }

    /// Asks the user for an offer code and redeems it in the store; replaces `AppStore.presentOfferCodeRedeemSheet(in:)`.
    ///
    /// The purchase is delivered as a transaction update. A cancellation is not an error.
    ///
    /// - Throws: ``PaymentFailure`` with the reason why the code was not redeemed; the sheet has shown the reason to the user.
    public func redeemOfferCode() async throws {
        _ = try await offerCodeRedemption()
    }

    /// The result of the sheet for offer codes.
    package enum OfferCodeRedemption: Sendable {
        /// The user closed the sheet without a code.
        case canceled
        /// The purchase is pending until a parent approves it.
        case deferred
        /// The code is redeemed with this transaction.
        case redeemed(SignedTransaction)
    }

    /// Asks the user for an offer code and redeems it in the store, and returns the result.
    package func offerCodeRedemption() async throws -> OfferCodeRedemption {
        try simulatedFailures.check(.offerCodeRedeem)
        guard let code = await engine.interface.offerCode() else { return .canceled }
        let signed = try await engine.request { (engine) async throws(PaymentFailure) in try await engine.sheets.redeemOfferCode(code) }
        return signed.map { .redeemed($0) } ?? .deferred
    }

    /// Asks the user to consent to each unanswered price increase that was delivered to the app as a `Message`.
    ///
    /// The function replaces `Message.display(in:)`, and ignores messages for other reasons. If an answer does not reach the store, the
    /// price increase still needs consent.
    public func showPriceConsent() async {
        for message in priceIncreases.withLock({ $0 }) where message.deliveryID.account == account {
            let hasAnswered = try? await engine.request { (engine) async throws(PaymentFailure) in
                try await engine.sheets.askForPriceConsent(message.value)
            }
            guard hasAnswered == true else { continue }
            priceIncreases.withLock { $0.removeAll { $0 == message } }
        }
    }

    /// The outcome of a refund request.
    public enum RefundRequestStatus: Hashable, Sendable {
        /// The user has requested a refund; the store approves or declines it later.
        case success
        /// The user closed the sheet without a request.
        case userCancelled
    }

    /// The reason why a refund could not be requested.
    public enum RefundRequestError: Error, Hashable, Sendable {
        /// A refund was already requested or granted.
        case duplicateRequest
        /// The store refused the request.
        case failed
        /// The purchase is not eligible for a refund request; only tests simulate this error.
        case ineligible
    }

    /// Asks the user for the reason of a refund request, and sends the request to the store; replaces
    /// `Transaction.beginRefundRequest(in:)`.
    ///
    /// - Throws: ``RefundRequestError``, or ``PaymentFailure`` when the store can't be reached.
    public func beginRefundRequest(for transactionID: UInt64) async throws -> RefundRequestStatus {
        try simulatedFailures.check(.refundRequest)
        let transaction = TransactionID("\(transactionID)")
        let product = await purchases(.transaction(transaction)).first?.signedTransaction.unverifiedPayload?.productId
        let sheet = RefundSheet(productID: product ?? "", transaction: transaction)
        guard let reason = await engine.interface.refundReason(sheet) else { return .userCancelled }
        do throws(WireClientError) {
            let request = RefundRequest(transactionID: transaction, reason: reason)
            let answer = try await engine.request { (engine) async throws(WireClientError) in
                try await engine.accounts.ask(DeviceEndpoints.requestRefund, request)
            }
            switch answer {
            case .response: return .success
            case .cancelled: return .userCancelled
            case .anotherAccount: throw WireClientError.refused(status: 404, WireError(code: "transaction.unknown", message: ""))
            }
        } catch {
            throw Self.refundError(error)
        }
    }

    /// Returns the error that ``beginRefundRequest(for:)`` throws if the store did not accept the request.
    static func refundError(_ error: WireClientError) -> any Error {
        switch error {
        case .unreachable, .invalidResponse: PaymentFailure(error)
        case .refused(409, let wire) where wire.code == "refund-request.duplicate": RefundRequestError.duplicateRequest
        case .refused: RefundRequestError.failed
        }
    }
}
