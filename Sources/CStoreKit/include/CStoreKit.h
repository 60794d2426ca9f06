#ifndef C_STORE_KIT_H
#define C_STORE_KIT_H

// The enumerations of StoreKit 1 are Objective-C's on Apple's platforms: open, so that a number without a name is a value as well, and
// `@unknown default` belongs to every switch. Only an enumeration of C is open in Swift, so they are declared here.
//
// `SWIFT_NAME` gives a case the name that Swift makes of Apple's header; the names of the types are Apple's. Those that are nested in a
// class, such as `SKProduct.PeriodUnit`, are named there by StoreKit.

#define OPEN_ENUM __attribute__((enum_extensibility(open)))
#define SWIFT_NAME(name) __attribute__((swift_name(#name)))

/// Where a transaction stands; raw values are Apple's.
enum OPEN_ENUM SKPaymentTransactionState : long {
    /// On its way to the store.
    SKPaymentTransactionStatePurchasing SWIFT_NAME(purchasing) = 0,
    /// Paid; to be delivered and finished.
    SKPaymentTransactionStatePurchased SWIFT_NAME(purchased) = 1,
    /// Not paid; to be finished.
    SKPaymentTransactionStateFailed SWIFT_NAME(failed) = 2,
    /// Restored; to be delivered and finished.
    SKPaymentTransactionStateRestored SWIFT_NAME(restored) = 3,
    /// Waits for somebody's approval; not to be finished.
    SKPaymentTransactionStateDeferred SWIFT_NAME(deferred) = 4,
};
typedef enum SKPaymentTransactionState SKPaymentTransactionState;

/// Where a download stands; raw values are Apple's.
enum OPEN_ENUM SKDownloadState : long {
    /// Not begun, or waiting for its turn or for the network.
    SKDownloadStateWaiting SWIFT_NAME(waiting) = 0,
    /// Bytes are coming.
    SKDownloadStateActive SWIFT_NAME(active) = 1,
    /// Resting until the app resumes it.
    SKDownloadStatePaused SWIFT_NAME(paused) = 2,
    /// All is there.
    SKDownloadStateFinished SWIFT_NAME(finished) = 3,
    /// It can't be had.
    SKDownloadStateFailed SWIFT_NAME(failed) = 4,
    /// Ended by the app.
    SKDownloadStateCancelled SWIFT_NAME(cancelled) = 5,
};
typedef enum SKDownloadState SKDownloadState;

/// The unit of a period, `SKProduct.PeriodUnit`; raw values are Apple's.
enum OPEN_ENUM SKProductPeriodUnit : unsigned long {
    /// A day.
    SKProductPeriodUnitDay SWIFT_NAME(day) = 0,
    /// A week.
    SKProductPeriodUnitWeek SWIFT_NAME(week) = 1,
    /// A month.
    SKProductPeriodUnitMonth SWIFT_NAME(month) = 2,
    /// A year.
    SKProductPeriodUnitYear SWIFT_NAME(year) = 3,
};
typedef enum SKProductPeriodUnit SKProductPeriodUnit;

/// How a discount is paid, `SKProductDiscount.PaymentMode`; raw values are Apple's.
enum OPEN_ENUM SKProductDiscountPaymentMode : unsigned long {
    /// A lower price in each period.
    SKProductDiscountPaymentModePayAsYouGo SWIFT_NAME(payAsYouGo) = 0,
    /// Once for the whole offer.
    SKProductDiscountPaymentModePayUpFront SWIFT_NAME(payUpFront) = 1,
    /// Not at all.
    SKProductDiscountPaymentModeFreeTrial SWIFT_NAME(freeTrial) = 2,
};
typedef enum SKProductDiscountPaymentMode SKProductDiscountPaymentMode;

/// Whom a discount is for, `SKProductDiscount.Type`; raw values are Apple's.
enum OPEN_ENUM SKProductDiscountType : unsigned long {
    /// New subscribers.
    SKProductDiscountTypeIntroductory SWIFT_NAME(introductory) = 0,
    /// Those who are or were subscribed, with the developer's signature.
    SKProductDiscountTypeSubscription SWIFT_NAME(subscription) = 1,
};
typedef enum SKProductDiscountType SKProductDiscountType;

/// What went wrong, `SKError.Code`; raw values are Apple's.
enum OPEN_ENUM SKErrorCode : long {
    /// Unknown, or the store can't be reached.
    SKErrorUnknown SWIFT_NAME(unknown) = 0,
    /// The client may not do this.
    SKErrorClientInvalid SWIFT_NAME(clientInvalid) = 1,
    /// The user cancelled; no message is due.
    SKErrorPaymentCancelled SWIFT_NAME(paymentCancelled) = 2,
    /// The payment's parameters are not valid.
    SKErrorPaymentInvalid SWIFT_NAME(paymentInvalid) = 3,
    /// The user may not pay.
    SKErrorPaymentNotAllowed SWIFT_NAME(paymentNotAllowed) = 4,
    /// The product is not sold in this storefront.
    SKErrorStoreProductNotAvailable SWIFT_NAME(storeProductNotAvailable) = 5,
    /// The user has not allowed access to the cloud service.
    SKErrorCloudServicePermissionDenied SWIFT_NAME(cloudServicePermissionDenied) = 6,
    /// The network of the cloud service can't be reached.
    SKErrorCloudServiceNetworkConnectionFailed SWIFT_NAME(cloudServiceNetworkConnectionFailed) = 7,
    /// The user has taken back the permission for the cloud service.
    SKErrorCloudServiceRevoked SWIFT_NAME(cloudServiceRevoked) = 8,
    /// The user has not acknowledged the privacy policy.
    SKErrorPrivacyAcknowledgementRequired SWIFT_NAME(privacyAcknowledgementRequired) = 9,
    /// The app may not set request data.
    SKErrorUnauthorizedRequestData SWIFT_NAME(unauthorizedRequestData) = 10,
    /// The offer is unknown.
    SKErrorInvalidOfferIdentifier SWIFT_NAME(invalidOfferIdentifier) = 11,
    /// The offer's signature is not valid.
    SKErrorInvalidSignature SWIFT_NAME(invalidSignature) = 12,
    /// A parameter of the offer is missing.
    SKErrorMissingOfferParams SWIFT_NAME(missingOfferParams) = 13,
    /// The offer's price is not valid.
    SKErrorInvalidOfferPrice SWIFT_NAME(invalidOfferPrice) = 14,
    /// The overlay was cancelled.
    SKErrorOverlayCancelled SWIFT_NAME(overlayCancelled) = 15,
    /// The overlay's configuration is not valid.
    SKErrorOverlayInvalidConfiguration SWIFT_NAME(overlayInvalidConfiguration) = 16,
    /// The overlay took too long.
    SKErrorOverlayTimeout SWIFT_NAME(overlayTimeout) = 17,
    /// The user is not eligible for the offer.
    SKErrorIneligibleForOffer SWIFT_NAME(ineligibleForOffer) = 18,
    /// The platform does not support this.
    SKErrorUnsupportedPlatform SWIFT_NAME(unsupportedPlatform) = 19,
    /// The overlay was presented in a background scene.
    SKErrorOverlayPresentedInBackgroundScene SWIFT_NAME(overlayPresentedInBackgroundScene) = 20,
    /// The payment method has to be bound first.
    SKErrorPaymentMethodBindingConfigurationRequired SWIFT_NAME(paymentMethodBindingConfigurationRequired) = 21,
};
typedef enum SKErrorCode SKErrorCode;

#undef OPEN_ENUM
#undef SWIFT_NAME

#endif
