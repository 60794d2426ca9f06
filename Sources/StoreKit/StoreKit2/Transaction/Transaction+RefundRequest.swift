public import Foundation

extension Transaction {
    /// Why a refund could not be asked for.
    public enum RefundRequestError: Error, Hashable, Sendable {
        /// It was asked for before, or granted.
        case duplicateRequest
        /// The request failed.
        case failed
    }

    /// How a refund request ended.
    public enum RefundRequestStatus: Hashable, Sendable {
        /// The user has asked for it; whether it is granted is decided later.
        case success
        /// The user cancelled.
        case userCancelled
    }
}

extension Transaction.RefundRequestError: LocalizedError {
    /// What went wrong, in a sentence.
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

    /// What may help, in a sentence.
    public var recoverySuggestion: String? {
        switch self {
        case .duplicateRequest: "Wait for the store's decision."
        case .failed: "Try again later."
        }
    }
}
