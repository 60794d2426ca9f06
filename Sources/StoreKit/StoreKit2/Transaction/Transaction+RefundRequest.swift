public import Foundation

extension Transaction {
    /// The reason why a refund could not be requested.
    public enum RefundRequestError: Error, Hashable, Sendable {
        /// It was asked for before, or granted.
        case duplicateRequest
        /// The request failed.
        case failed
    }

    /// The outcome of a refund request.
    public enum RefundRequestStatus: Hashable, Sendable {
        /// The user has asked for it; whether it is granted is decided later.
        case success
        /// The user cancelled.
        case userCancelled
    }
}

extension Transaction.RefundRequestError: LocalizedError {
    /// A sentence that describes the error.
    public var errorDescription: String? {
        switch self {
        case .duplicateRequest: "A refund of this purchase was requested before."
        case .failed: "The refund request failed."
        }
    }

    /// Why, in a sentence.
    public var failureReason: String? {
        switch self {
        case .duplicateRequest: "The store has a request for this purchase already."
        case .failed: "The store did not take the request."
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
