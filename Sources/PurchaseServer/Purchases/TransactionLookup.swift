import AppStoreServerAPI
import Logging
import PurchaseModel

/// Looks up signed transactions with the App Store Server API.
struct TransactionLookup: Sendable {
    let client: AppStoreServerAPIClient
    let environment: AppEnvironment
    /// The client that looks up identifiers from App Review and TestFlight in the sandbox; nil for no look-ups in the sandbox.
    var sandbox: AppStoreServerAPIClient?
    let appStoreOutages: OutageMonitor
    let logger: Logger

    /// Returns the unverified signed transaction with an identifier.
    func transaction(_ id: TransactionID) async throws(ProofRefusal) -> SignedTransaction {
        do throws(AppStoreServerAPIError) {
            let signed = try await client.getTransactionInfo(transactionId: id).signedTransactionInfo
            appStoreOutages.succeeded()
            return signed
        } catch {
            if error.isRetryable { appStoreOutages.failed() }
            guard let sandbox, error.apiError == .transactionIdNotFound else { throw refusal(error) }
            // Report no outage for the sandbox, because the monitor concerns production.
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

/// Whether the server confirms locally verified transactions with the App Store Server API.
///
/// A signed transaction does not show a refund after its signature date; a response of the App Store Server API shows the refund.
public enum TransactionConfirmation: String, CaseIterable, Sendable {
    /// The server sends no request; the signature of the transaction suffices, and notifications report a refund.
    case off
    /// The server records the newest version of the transaction, and refuses a transaction that is unknown to the App Store; without a
    /// response, the signature suffices.
    case soft
    /// The server confirms as in the mode `soft`, but without a response the verification is indeterminate, a retryable result. The mode
    /// requires a key of the App Store Server API.
    case hard
}
