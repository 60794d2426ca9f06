import AppStoreServerAPI
import Logging
import PurchaseModel

/// Looks up signed transactions with the App Store Server API.
struct TransactionLookup: Sendable {
    let client: AppStoreServerAPIClient
    let logger: Logger

    /// Returns the signed transaction with an identifier, which the caller verifies.
    func transaction(_ id: TransactionID) async throws(ProofRefusal) -> SignedTransaction {
        do throws(AppStoreServerAPIError) {
            return try await client.getTransactionInfo(transactionId: id).signedTransactionInfo
        } catch {
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
