public import Foundation

/// An error that StoreKit's methods throw, except for purchases that are refused (``Product/PurchaseError``).
public enum StoreKitError: Error, Sendable {
    /// The error is unknown, and a later attempt may succeed.
    case unknown
    /// The user canceled the operation or a step that it requires, such as the sign-in.
    case userCancelled
    /// The store can't be reached, or its response can't be read.
    case networkError(URLError)
    /// The system or the store failed; the associated value is the underlying error.
    case systemError(any Error)
    /// The product is not available in the user's storefront.
    case notAvailableInStorefront
    /// The app or the user is not allowed to perform the operation.
    case notEntitled
    /// The product or the platform does not support the operation.
    case unsupported
    /// The view from which the app presents a sheet can't present the sheet.
    case invalidPresentationContext
}

extension StoreKitError: LocalizedError {
    /// A message that describes the error.
    public var errorDescription: String? {
        switch self {
        case .unknown: "The request to the store failed."
        case .userCancelled: "The request to the store was canceled."
        // The text is the one of Foundation on Apple's platforms, because tests of apps compare it.
        case .networkError(let error): "The operation couldn’t be completed. (\(URLError.errorDomain) error \(error.errorCode).)"
        case .systemError(let error): error.localizedDescription
        case .notAvailableInStorefront: "The product is not available in the storefront of your account."
        case .notEntitled: "This app or this account is not allowed to perform the operation."
        case .unsupported: "The product or this platform does not support the operation."
        case .invalidPresentationContext: "The sheet can't be shown."
        }
    }

    /// A message that describes the cause of the error.
    public var failureReason: String? {
        switch self {
        case .unknown: "An unknown error occurred in the store or on the device."
        case .userCancelled: "The user canceled the request or a step that it requires, such as the sign-in."
        case .networkError: "The store can't be reached."
        case .systemError: "The system or the store failed with an underlying error."
        case .notAvailableInStorefront: "The product is not sold in the storefront of the account."
        case .notEntitled: "The app lacks a required entitlement, or the account may not make payments."
        case .unsupported: "The operation is not available for this type of product or on this platform."
        case .invalidPresentationContext: "The view from which the app presents the sheet can't present the sheet."
        }
    }

    /// A message that suggests how to resolve the error; nil when no remedy is known.
    public var recoverySuggestion: String? {
        switch self {
        case .unknown, .systemError: "Try again later."
        case .networkError: "Check the network connection and try again."
        case .userCancelled, .notAvailableInStorefront, .notEntitled, .unsupported, .invalidPresentationContext: nil
        }
    }
}
