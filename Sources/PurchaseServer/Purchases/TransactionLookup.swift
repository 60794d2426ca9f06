import AppStoreServerAPI
import Logging
import PurchaseModel

/// Looks up signed transactions with the App Store Server API.
struct TransactionLookup: Sendable {
    let client: AppStoreServerAPIClient
    /// The environment whose transactions the App Store Server API knows.
    let environment: AppEnvironment
    let outages: OutageMonitor
    let logger: Logger

    /// Returns the signed transaction with an identifier, which the caller verifies.
    func transaction(_ id: TransactionID) async throws(ProofRefusal) -> SignedTransaction {
        do throws(AppStoreServerAPIError) {
            let signed = try await client.getTransactionInfo(transactionId: id).signedTransactionInfo
            outages.succeeded()
            return signed
        } catch {
            if error.isRetryable { outages.failed() }
            switch error.apiError {
            case .transactionIdNotFound, .invalidTransactionId: throw .unknownTransaction
            default: break
            }
            if case .invalidRequest = error { throw .unknownTransaction }
            logger.notice("the App Store Server API returned no transaction", metadata: ["error": "\(error)"])
            throw .lookupFailed
        }
    }
}
