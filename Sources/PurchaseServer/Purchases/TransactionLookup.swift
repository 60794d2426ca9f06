import AppStoreServerAPI
import Logging
import PurchaseModel

/// Looks up signed transactions with the App Store Server API.
struct TransactionLookup: Sendable {
    let client: AppStoreServerAPIClient
    let environment: AppEnvironment
    /// The client of the sandbox, with which a production server looks up identifiers from App Review and TestFlight; nil without these
    /// look-ups.
    var sandbox: AppStoreServerAPIClient?
    let appStoreOutages: OutageMonitor
    let logger: Logger

    /// Returns the signed transaction with an identifier, which the caller verifies.
    func transaction(_ id: TransactionID) async throws(ProofRefusal) -> SignedTransaction {
        do throws(AppStoreServerAPIError) {
            let signed = try await client.getTransactionInfo(transactionId: id).signedTransactionInfo
            appStoreOutages.succeeded()
            return signed
        } catch {
            if error.isRetryable { appStoreOutages.failed() }
            guard let sandbox, error.apiError == .transactionIdNotFound else { throw refusal(error) }
            // An outage of the sandbox does not count as an outage of production.
            do throws(AppStoreServerAPIError) {
                return try await sandbox.getTransactionInfo(transactionId: id).signedTransactionInfo
            } catch {
                throw refusal(error)
            }
        }
    }

    private func refusal(_ error: AppStoreServerAPIError) -> ProofRefusal {
        switch error.apiError {
        case .transactionIdNotFound, .invalidTransactionId: return .unknownTransaction
        default: break
        }
        if case .invalidRequest = error { return .unknownTransaction }
        logger.notice("the App Store Server API returned no transaction", metadata: ["error": "\(error)"])
        return .lookupFailed
    }
}
