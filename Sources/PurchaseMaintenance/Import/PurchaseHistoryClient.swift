import AppStoreServerAPI
import PurchaseModel
import PurchaseProof
import PurchaseStorage

/// The periods of a subscription that an import requests from the App Store.
public enum ImportedPeriods: String, Hashable, Sendable, CaseIterable {
    /// Every period, so that the server records the price, the offer, the refund and the credits of each period.
    case all
    /// The latest period, which determines access together with the renewal info.
    case latest
}

/// Requests one purchase from the App Store: the transaction, or the periods and the renewal info of a subscription.
///
/// The other purchases of the App Store account are not imported, because they could credit consumables that were spent in the former
/// service.
struct PurchaseHistoryClient: Sendable {
    /// The reason for a missing history.
    enum Failure: Error, Equatable {
        /// The transaction is unknown to the App Store.
        case unknown
        /// A transaction failed verification, or the result was indeterminate.
        case unverified(VerificationFailure)
        /// The App Store Server API returned an error.
        case api(AppStoreServerAPIError)
    }

    let client: AppStoreServerAPIClient
    let signedData: SignedDataVerifier
    let pace: RequestPace
    /// The periods of a subscription that the import requests.
    var importedPeriods = ImportedPeriods.all

    /// Returns the events of the purchase that contains a transaction.
    ///
    /// The status of a subscription contains the latest transaction and the renewal info, so an import of the latest period needs no other
    /// request. A purchase without renewals needs one request for the transaction. A wrong `isLikelySubscription` costs one more request,
    /// without another effect.
    ///
    /// - Parameters:
    ///   - id: The identifier of a transaction of the purchase.
    ///   - isLikelySubscription: Whether the purchase is probably a subscription, so that the method requests the status first.
    func events(of id: TransactionID, isLikelySubscription: Bool) async throws(Failure) -> [VerifiedEvent] {
        var statuses: [LastTransaction]?
        if isLikelySubscription {
            do throws(Failure) {
                statuses = try await requestStatuses(of: id)
            } catch {
                switch error {
                // Continue with the request for the transaction, because the transaction's customer may have no subscriptions.
                case .unknown, .api(.api): break
                case .unverified, .api: throw error
                }
            }
            let latest = try await latestEvents(namedBy: id, in: statuses ?? [])
            if let first = latest.first { return latest + (try await periods(of: first, before: latest)) }
        }
        let info = try await request { client throws(AppStoreServerAPIError) in try await client.getTransactionInfo(transactionId: id) }
        guard let first = try await verified(info.signedTransactionInfo, source: "transaction information") else { throw .unknown }
        guard first.event.transaction.productType == .autoRenewable else { return [first] }
        let purchase = first.event.transaction.originalTransactionId
        if statuses == nil { statuses = try await requestStatuses(of: purchase) }
        let latest = try await latestEvents(namedBy: purchase, in: statuses ?? [])
        return [first] + latest + (try await periods(of: first, before: latest))
    }

    /// Returns the status of each subscription of a transaction's customer.
    private func requestStatuses(of id: TransactionID) async throws(Failure) -> [LastTransaction] {
        let response = try await request { client throws(AppStoreServerAPIError) in
            try await client.getAllSubscriptionStatuses(transactionId: id)
        }
        return response.data.flatMap(\.lastTransactions)
    }

    /// Returns the latest transaction and the renewal info of the subscription that an identifier names.
    ///
    /// The method supports the identifiers of the original and of the latest transaction. For any other identifier the result is empty,
    /// because the statuses do not show which of the customer's subscriptions contains the transaction.
    private func latestEvents(namedBy id: TransactionID, in statuses: [LastTransaction]) async throws(Failure) -> [VerifiedEvent] {
        var events: [VerifiedEvent] = []
        for last in statuses where last.originalTransactionId == id {
            if let event = try await verified(last.signedTransactionInfo, last.signedRenewalInfo, source: "subscription status") {
                events.append(event)
            }
        }
        guard events.isEmpty else { return events }
        for last in statuses where last.originalTransactionId != id {
            // Ignore a failed verification, which may concern another subscription of the customer.
            let event = try? await verified(last.signedTransactionInfo, last.signedRenewalInfo, source: "subscription status")
            if let event, event.event.transaction.transactionId == id { return [event] }
        }
        return []
    }

    /// Returns the periods of a subscription from the transaction history; empty if the import needs no other period.
    ///
    /// - Parameters:
    ///   - known: A transaction of the subscription.
    ///   - latest: The latest transaction of the subscription; empty if its status is unknown.
    private func periods(of known: VerifiedEvent, before latest: [VerifiedEvent]) async throws(Failure) -> [VerifiedEvent] {
        let purchase = known.event.transaction.originalTransactionId
        if let newest = latest.last?.event.transaction {
            // Return no periods if the newest transaction is the original transaction, because no earlier period exists.
            if newest.transactionId == purchase { return [] }
            // Return no earlier periods, except for a renewal that was charged ahead, because an earlier period determines access until the
            // renewal begins.
            if importedPeriods == .latest, newest.purchaseDate <= newest.signedDate { return [] }
        }
        var filter = TransactionHistoryRequest()
        filter.productTypes = [.autoRenewable]
        filter.subscriptionGroupIdentifiers = [known.event.transaction.subscriptionGroupIdentifier].compactMap { $0 }
        var events: [VerifiedEvent] = []
        var revision: String?
        while true {
            let page = try await request { [revision, filter] client throws(AppStoreServerAPIError) in
                try await client.getTransactionHistory(transactionId: purchase, revision: revision, transactionHistoryRequest: filter)
            }
            for signed in page.signedTransactions {
                guard let event = try await verified(signed, source: "transaction history"),
                    event.event.transaction.originalTransactionId == purchase
                else { continue }
                events.append(event)
            }
            guard page.hasMore, page.revision != revision else { return events }
            revision = page.revision
        }
    }

    private func request<Value: Sendable>(
        _ call: (AppStoreServerAPIClient) async throws(AppStoreServerAPIError) -> Value
    ) async throws(Failure) -> Value {
        do { try await pace.wait() } catch { throw .api(.canceled) }
        do throws(AppStoreServerAPIError) {
            return try await call(client)
        } catch {
            switch error.apiError {
            case .transactionIdNotFound?, .accountNotFound?, .invalidTransactionId?: throw .unknown
            default: break
            }
            if case .invalidRequest = error { throw .unknown }
            throw .api(error)
        }
    }

    private func verified(
        _ transaction: SignedTransaction, _ renewalInfo: SignedRenewalInfo? = nil, source: String
    ) async throws(Failure) -> VerifiedEvent? {
        do throws(VerificationFailure) {
            let verified = try await signedData.verify(transaction)
            var verifiedRenewal: VerifiedRenewalInfo?
            if let renewalInfo { verifiedRenewal = try await signedData.verify(renewalInfo) }
            return VerifiedEvent(verified, verifiedRenewal, source: source)
        } catch { throw .unverified(error) }
    }
}
