public import Foundation

extension Transaction {
    /// The reason why a refund could not be requested.
    public enum RefundRequestError: Error, Hashable, Sendable {
        /// A refund was already requested or granted.
        case duplicateRequest
        /// The request failed.
        case failed
    }

    /// The outcome of a refund request.
    public enum RefundRequestStatus: Hashable, Sendable {
        /// The user has requested a refund; the store approves or declines it later.
        case success
        /// The user canceled.
        case userCancelled
    }
}

extension Transaction.RefundRequestError: LocalizedError {
    /// A sentence that describes the error.
    public var errorDescription: String? {
        switch self {
        case .duplicateRequest: "A refund was already requested for this purchase."
        case .failed: "The refund request failed."
        }
    }

    /// A sentence that describes the cause.
    public var failureReason: String? {
        switch self {
        case .duplicateRequest: "The store already has a refund request for this purchase."
        case .failed: "The store did not accept the request."
        }
    }

    /// A sentence with a remedy.
    public var recoverySuggestion: String? {
        switch self {
        case .duplicateRequest: "Wait for the store's decision."
        case .failed: "Try again later."
        }
    }
}
