public import CStoreKit
import Foundation

extension SKError {
    /// The error code; raw values without a name are valid, too.
    public typealias Code = SKErrorCode
}

extension SKErrorCode {
    /// Returns whether an error has this code, as in `catch SKError.paymentCancelled`.
    public static func ~= (match: SKErrorCode, error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == SKError.errorDomain && error.code == match.rawValue
    }

    /// The sentence for errors without a description; nil for a raw value without a name.
    var defaultMessage: String? {
        switch self {
        case .unknown: "The store can't be reached, or an unknown error occurred."
        case .clientInvalid: "This app is not allowed to make the request."
        case .paymentCancelled: "The payment was canceled."
        case .paymentInvalid: "The payment is not valid."
        case .paymentNotAllowed: "Payments are not allowed on this device."
        case .storeProductNotAvailable: "The product is not available in this storefront."
        case .cloudServicePermissionDenied: "Access to the cloud service was not allowed."
        case .cloudServiceNetworkConnectionFailed: "The cloud service can't be reached."
        case .cloudServiceRevoked: "The permission for the cloud service was revoked."
        case .privacyAcknowledgementRequired: "The privacy policy has to be acknowledged first."
        case .unauthorizedRequestData: "This app is not allowed to set the payment's request data."
        case .invalidOfferIdentifier: "The offer is unknown."
        case .invalidSignature: "The offer's signature is not valid."
        case .missingOfferParams: "The offer lacks a parameter."
        case .invalidOfferPrice: "The offer's price is not valid."
        case .overlayCancelled: "The overlay was canceled."
        case .overlayInvalidConfiguration: "The overlay's configuration is not valid."
        case .overlayTimeout: "The overlay timed out."
        case .ineligibleForOffer: "The user is not eligible for this offer."
        case .unsupportedPlatform: "This platform does not support the operation."
        case .overlayPresentedInBackgroundScene: "The overlay was presented in a background scene."
        case .paymentMethodBindingConfigurationRequired: "The payment method has to be set up first."
        @unknown default: nil
        }
    }
}

/// The codes as static members, for `catch` and `==`.
extension SKError {
    /// An unknown error, or an unreachable store.
    public static var unknown: Code { .unknown }
    /// The client is not allowed to make the request.
    public static var clientInvalid: Code { .clientInvalid }
    /// The user canceled; show no message.
    public static var paymentCancelled: Code { .paymentCancelled }
    /// The payment's parameters are not valid.
    public static var paymentInvalid: Code { .paymentInvalid }
    /// The user is not allowed to make payments.
    public static var paymentNotAllowed: Code { .paymentNotAllowed }
    /// The product is not available in this storefront.
    public static var storeProductNotAvailable: Code { .storeProductNotAvailable }
    /// The user has not allowed access to the cloud service.
    public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }
    /// The network of the cloud service can't be reached.
    public static var cloudServiceNetworkConnectionFailed: Code { .cloudServiceNetworkConnectionFailed }
    /// The user has revoked the permission for the cloud service.
    public static var cloudServiceRevoked: Code { .cloudServiceRevoked }
    /// The user has not acknowledged the privacy policy.
    public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }
    /// The app is not allowed to set request data.
    public static var unauthorizedRequestData: Code { .unauthorizedRequestData }
    /// The offer is unknown.
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }
    /// The offer's signature is not valid.
    public static var invalidSignature: Code { .invalidSignature }
    /// A parameter of the offer is missing.
    public static var missingOfferParams: Code { .missingOfferParams }
    /// The offer's price is not valid.
    public static var invalidOfferPrice: Code { .invalidOfferPrice }
    /// The overlay was canceled.
    public static var overlayCancelled: Code { .overlayCancelled }
    /// The overlay's configuration is not valid.
    public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }
    /// The overlay timed out.
    public static var overlayTimeout: Code { .overlayTimeout }
    /// The user is not eligible for the offer.
    public static var ineligibleForOffer: Code { .ineligibleForOffer }
    /// The platform does not support this.
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
    /// The overlay was presented in a background scene.
    public static var overlayPresentedInBackgroundScene: Code { .overlayPresentedInBackgroundScene }
    /// The payment method has to be bound first.
    public static var paymentMethodBindingConfigurationRequired: Code { .paymentMethodBindingConfigurationRequired }
}
