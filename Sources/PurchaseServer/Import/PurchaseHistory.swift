import AppStoreServerAPI
import PurchaseModel
import PurchaseProof

/// Requests everything that the App Store states about one purchase: all periods of a subscription, and its renewal info.
struct PurchaseHistory: Sendable {
    /// The reason why there is no history.
    enum Failure: Error, Equatable {
        /// The App Store does not know the transaction.
        case unknown
        /// A transaction was refused, or could not be verified now.
        case unverified(VerificationFailure)
        /// The App Store Server API returned an error.
        case api(AppStoreServerAPIError)
    }

    let client: AppStoreServerAPIClient
    let signedData: SignedDataVerifier
    let pace: RequestPace

    /// Returns the events of the purchase to which a transaction belongs.
    ///
    /// A purchase that does not renew needs one request, and a subscription two or more.
    func events(of id: TransactionID) async throws(Failure) -> [VerifiedEvent] {
        let info = try await request { client throws(AppStoreServerAPIError) in try await client.getTransactionInfo(transactionId: id) }
        guard let first = try await verified(info.signedTransactionInfo, source: "transaction information") else { throw .unknown }
        let purchase = first.event.transaction.originalTransactionId
        guard first.event.transaction.productType == .autoRenewable else { return [first] }
        let statuses = try await request { client throws(AppStoreServerAPIError) in
            try await client.getAllSubscriptionStatuses(transactionId: purchase)
        }
        var events = [first]
        for last in statuses.data.flatMap(\.lastTransactions) where last.originalTransactionId == purchase {
            if let event = try await verified(last.signedTransactionInfo, last.signedRenewalInfo, source: "subscription status") {
                events.append(event)
            }
        }
        // The first period is the only one if it is the newest.
        if events.last?.event.transaction.transactionId != purchase || events.count == 1 { events += try await periods(of: first) }
        return events
    }

    private func periods(of first: VerifiedEvent) async throws(Failure) -> [VerifiedEvent] {
        let purchase = first.event.transaction.originalTransactionId
        var filter = TransactionHistoryRequest()
        filter.productTypes = [.autoRenewable]
        filter.subscriptionGroupIdentifiers = [first.event.transaction.subscriptionGroupIdentifier].compactMap { $0 }
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
