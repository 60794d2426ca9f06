public import Foundation

extension Transaction {
    /// The reason why a refund request failed.
    public enum RefundRequestError: Error, Hashable, Sendable {
        /// A refund of the transaction was already requested or granted.
        case duplicateRequest
        /// The store did not accept the refund request.
        case failed
        /// The purchase is not eligible for a refund request.
        case ineligible
    }

    /// The outcome of a refund request.
    public enum RefundRequestStatus: Hashable, Sendable {
        /// The user requested a refund, which the store approves or declines later.
        case success
        /// The user canceled the refund request.
        case userCancelled
    }
}

extension Transaction.RefundRequestError: LocalizedError {
    /// A message that describes the error.
    public var errorDescription: String? {
        switch self {
        case .duplicateRequest: "A refund was already requested for this purchase."
        case .failed: "The refund request failed."
        case .ineligible: "A refund can't be requested for this purchase."
        }
    }

    /// A message that describes the cause of the error.
    public var failureReason: String? {
        switch self {
        case .duplicateRequest: "The store already has a refund request for this purchase, or has refunded it."
        case .failed: "The store did not accept the refund request."
        case .ineligible: "The purchase is not eligible for a refund request."
        }
    }

    /// A message that suggests how to resolve the error; nil when no remedy is known.
    public var recoverySuggestion: String? {
        switch self {
        case .duplicateRequest: "Wait for the store to decide about the refund."
        case .failed: "Request the refund again later."
        case .ineligible: nil
        }
    }
}
