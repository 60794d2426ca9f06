public import Foundation

/// An error of StoreKit, other than the refusal of a purchase (``Product/PurchaseError``).
public enum StoreKitError: Error, Sendable {
    /// Something failed; trying again later usually works.
    case unknown
    /// The user did not finish what was necessary, such as signing in.
    case userCancelled
    /// The store can't be reached.
    case networkError(URLError)
    /// The system or the store failed; the error says how.
    case systemError(any Error)
    /// The product is not sold in the storefront.
    case notAvailableInStorefront
    /// The app may not do this.
    case notEntitled
    /// The product does not support this.
    case unsupported
}

extension StoreKitError: LocalizedError {
    /// A sentence that describes the error.
    public var errorDescription: String? {
        switch self {
        case .unknown: "The request to the store failed."
        case .userCancelled: "The request was cancelled."
        // In the words that Foundation has elsewhere, which tests of apps compare.
        case .networkError(let error): "The operation couldn’t be completed. (\(URLError.errorDomain) error \(error.errorCode).)"
        case .systemError(let error): error.localizedDescription
        case .notAvailableInStorefront: "The product is not available in this storefront."
        case .notEntitled: "The app is not allowed to do this."
        case .unsupported: "The product does not support this."
        }
    }

    /// Why, in a sentence.
    public var failureReason: String? {
        switch self {
        case .unknown: "An unknown error occurred."
        case .userCancelled: "The user cancelled."
        case .networkError: "The store can't be reached."
        case .systemError: "The system or the store failed."
        case .notAvailableInStorefront: "The store of the account's country does not sell it."
        case .notEntitled: "The app lacks an entitlement."
        case .unsupported: "The operation is not meant for this product."
        }
    }

    /// A sentence with a remedy; nil when none is known.
    public var recoverySuggestion: String? {
        switch self {
        case .unknown, .systemError: "Try again later."
        case .networkError: "Check the network connection and try again."
        case .userCancelled, .notAvailableInStorefront, .notEntitled, .unsupported: nil
        }
    }
}
