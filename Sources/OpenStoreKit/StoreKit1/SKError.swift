public import Foundation

/// An error of StoreKit.
public struct SKError: CustomNSError, LocalizedError, Hashable, @unchecked Sendable {
    /// What went wrong; raw values are Apple's.
    public enum Code: Int, Sendable {
        /// Unknown, or the store can't be reached.
        case unknown = 0
        /// The client may not do this.
        case clientInvalid = 1
        /// The user cancelled; no message is due.
        case paymentCancelled = 2
        /// The payment's parameters are not valid.
        case paymentInvalid = 3
        /// The user may not pay.
        case paymentNotAllowed = 4
        /// The product is not sold in this storefront.
        case storeProductNotAvailable = 5
        /// The user has not allowed access to the cloud service.
        case cloudServicePermissionDenied = 6
        /// The network of the cloud service can't be reached.
        case cloudServiceNetworkConnectionFailed = 7
        /// The user has taken back the permission for the cloud service.
        case cloudServiceRevoked = 8
        /// The user has not acknowledged the privacy policy.
        case privacyAcknowledgementRequired = 9
        /// The app may not set request data.
        case unauthorizedRequestData = 10
        /// The offer is unknown.
        case invalidOfferIdentifier = 11
        /// The offer's signature is not valid.
        case invalidSignature = 12
        /// A parameter of the offer is missing.
        case missingOfferParams = 13
        /// The offer's price is not valid.
        case invalidOfferPrice = 14
        /// The overlay was cancelled.
        case overlayCancelled = 15
        /// The overlay's configuration is not valid.
        case overlayInvalidConfiguration = 16
        /// The overlay took too long.
        case overlayTimeout = 17
        /// The user is not eligible for the offer.
        case ineligibleForOffer = 18
        /// The platform does not support this.
        case unsupportedPlatform = 19
        /// The overlay was presented in a background scene.
        case overlayPresentedInBackgroundScene = 20
    }

    /// The domain of StoreKit's errors.
    public static let errorDomain = "SKErrorDomain"

    /// What went wrong.
    public let code: Code
    /// Foundation's details, such as `NSLocalizedDescriptionKey`.
    public let errorUserInfo: [String: Any]

    /// Creates an error.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.errorUserInfo = userInfo
    }

    /// The code as a number.
    public var errorCode: Int { code.rawValue }

    /// A sentence that can be shown, where there is one.
    public var errorDescription: String? { errorUserInfo[NSLocalizedDescriptionKey] as? String }

    /// Errors are equal when their codes are.
    public static func == (lhs: SKError, rhs: SKError) -> Bool { lhs.code == rhs.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// The domain of StoreKit's errors, under StoreKit 1's name.
public let SKErrorDomain = SKError.errorDomain
