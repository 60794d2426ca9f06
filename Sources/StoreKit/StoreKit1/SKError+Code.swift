public import CStoreKit
import Foundation

extension SKError {
    /// The code of a StoreKit error, which can also be a raw value without a named case.
    public typealias Code = SKErrorCode
}

extension SKErrorCode {
    /// Returns whether an error is a StoreKit error with this code, as in `catch SKError.paymentCancelled`.
    public static func ~= (match: SKErrorCode, error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == SKError.errorDomain && error.code == match.rawValue
    }

    /// The message for an error whose user info contains no description; nil for a raw value without a named case.
    var defaultMessage: String? {
        switch self {
        case .unknown: "The store can't be reached, or an unknown error occurred. Try again later."
        case .clientInvalid: "The store does not allow this app to perform the requested action."
        case .paymentCancelled: "The payment was canceled."
        case .paymentInvalid: "A parameter of the payment is not valid, such as the quantity."
        case .paymentNotAllowed: "Payments are not allowed on this device. Check the device's restrictions on purchases."
        case .storeProductNotAvailable: "The product is not available in the storefront of your account."
        case .cloudServicePermissionDenied: "This app may not use the cloud service. Allow it in the device's settings."
        case .cloudServiceNetworkConnectionFailed: "The cloud service can't be reached. Check the network connection and try again."
        case .cloudServiceRevoked: "The permission of this app to use the cloud service was revoked."
        case .privacyAcknowledgementRequired: "You have not acknowledged the store's privacy policy. Acknowledge it and try again."
        case .unauthorizedRequestData: "This app is not allowed to set the request data of a payment. Leave requestData nil."
        case .invalidOfferIdentifier: "The product has no offer with this identifier."
        case .invalidSignature: "The signature of the promotional offer is not valid."
        case .missingOfferParams: "A parameter of the promotional offer is missing, such as the signature."
        case .invalidOfferPrice: "The price of the offer is not valid or no longer valid."
        case .overlayCancelled: "The App Store overlay was canceled."
        case .overlayInvalidConfiguration: "The configuration of the App Store overlay is not valid."
        case .overlayTimeout: "The App Store overlay did not load in time. Try again later."
        case .ineligibleForOffer: "Your account is not eligible for this subscription offer."
        case .unsupportedPlatform: "This platform does not support the requested action."
        case .overlayPresentedInBackgroundScene: "The App Store overlay can't be shown while the app is in the background."
        case .paymentMethodBindingConfigurationRequired: "The account has no payment method. Set one up and try again."
        @unknown default: nil
        }
    }
}

/// The error codes as static members of `SKError`, for use in `catch` clauses and comparisons.
extension SKError {
    /// An unknown error occurred, or the store can't be reached.
    public static var unknown: Code { .unknown }
    /// The app is not allowed to perform the requested action.
    public static var clientInvalid: Code { .clientInvalid }
    /// The user canceled the payment; the app need not show an error message.
    public static var paymentCancelled: Code { .paymentCancelled }
    /// A parameter of the payment is not valid, such as the quantity.
    public static var paymentInvalid: Code { .paymentInvalid }
    /// The user is not allowed to make payments.
    public static var paymentNotAllowed: Code { .paymentNotAllowed }
    /// The product is not available in the user's storefront.
    public static var storeProductNotAvailable: Code { .storeProductNotAvailable }
    /// The user has not allowed access to the cloud service.
    public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }
    /// The network of the cloud service can't be reached.
    public static var cloudServiceNetworkConnectionFailed: Code { .cloudServiceNetworkConnectionFailed }
    /// The user has revoked the permission for the cloud service.
    public static var cloudServiceRevoked: Code { .cloudServiceRevoked }
    /// The user has not acknowledged the privacy policy.
    public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }
    /// The app is not allowed to set the payment's `requestData`.
    public static var unauthorizedRequestData: Code { .unauthorizedRequestData }
    /// The product has no offer with the identifier in the payment.
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }
    /// The signature of the promotional offer is not valid.
    public static var invalidSignature: Code { .invalidSignature }
    /// A parameter of the promotional offer is missing, such as the signature.
    public static var missingOfferParams: Code { .missingOfferParams }
    /// The price of the offer is not valid or no longer valid.
    public static var invalidOfferPrice: Code { .invalidOfferPrice }
    /// The user canceled the App Store overlay.
    public static var overlayCancelled: Code { .overlayCancelled }
    /// The configuration of the App Store overlay is not valid.
    public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }
    /// The App Store overlay did not load in time.
    public static var overlayTimeout: Code { .overlayTimeout }
    /// The user is not eligible for the subscription offer.
    public static var ineligibleForOffer: Code { .ineligibleForOffer }
    /// The current platform does not support the requested action.
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
    /// The app presented the App Store overlay in a scene in the background.
    public static var overlayPresentedInBackgroundScene: Code { .overlayPresentedInBackgroundScene }
    /// The user must bind a payment method to the account before the payment.
    public static var paymentMethodBindingConfigurationRequired: Code { .paymentMethodBindingConfigurationRequired }
}
