public import Foundation

/// An error of StoreKit other than a refused purchase (``Product/PurchaseError``).
public enum StoreKitError: Error, Sendable {
    /// An unknown error; a later attempt usually succeeds.
    case unknown
    /// The user canceled a required step, such as the sign-in.
    case userCancelled
    /// The store can't be reached.
    case networkError(URLError)
    /// The system or the store failed with the associated error.
    case systemError(any Error)
    /// The product is not available in the storefront.
    case notAvailableInStorefront
    /// The app lacks the required entitlement.
    case notEntitled
    /// The product does not support the operation.
    case unsupported
}

extension StoreKitError: LocalizedError {
    /// A sentence that describes the error.
    public var errorDescription: String? {
        switch self {
        case .unknown: "The request to the store failed."
        case .userCancelled: "The request was canceled."
        // Foundation's text on Apple's platforms, which tests of apps compare.
        case .networkError(let error): "The operation couldn’t be completed. (\(URLError.errorDomain) error \(error.errorCode).)"
        case .systemError(let error): error.localizedDescription
        case .notAvailableInStorefront: "The product is not available in this storefront."
        case .notEntitled: "The app is not allowed to perform this operation."
        case .unsupported: "The product does not support this operation."
        }
    }

    /// A sentence that describes the cause.
    public var failureReason: String? {
        switch self {
        case .unknown: "An unknown error occurred."
        case .userCancelled: "The user canceled."
        case .networkError: "The store can't be reached."
        case .systemError: "The system or the store failed."
        case .notAvailableInStorefront: "The account's storefront does not sell the product."
        case .notEntitled: "The app lacks an entitlement."
        case .unsupported: "The operation is not available for this type of product."
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
