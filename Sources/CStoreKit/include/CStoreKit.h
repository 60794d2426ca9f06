#ifndef C_STORE_KIT_H
#define C_STORE_KIT_H

// StoreKit 1 declares its enumerations in Objective-C on Apple's platforms. They are open: a raw value without a case is valid, and
// each `switch` needs `@unknown default`. Only a C enumeration is open in Swift, so this header declares them.
//
// `SWIFT_NAME` gives a case the name that Swift imports from Apple's header. The types have Apple's names; StoreKit adds the names of
// nested types, such as `SKProduct.PeriodUnit`.

#define OPEN_ENUM __attribute__((enum_extensibility(open)))
#define SWIFT_NAME(name) __attribute__((swift_name(#name)))

/// The state of a transaction; the raw values are Apple's.
enum OPEN_ENUM SKPaymentTransactionState : long {
    /// The store is processing the payment.
    SKPaymentTransactionStatePurchasing SWIFT_NAME(purchasing) = 0,
    /// The payment was charged; deliver and finish the transaction.
    SKPaymentTransactionStatePurchased SWIFT_NAME(purchased) = 1,
    /// The payment failed; finish the transaction.
    SKPaymentTransactionStateFailed SWIFT_NAME(failed) = 2,
    /// The purchase was restored; deliver and finish the transaction.
    SKPaymentTransactionStateRestored SWIFT_NAME(restored) = 3,
    /// The payment is pending a parent's approval; do not finish the transaction.
    SKPaymentTransactionStateDeferred SWIFT_NAME(deferred) = 4,
};
typedef enum SKPaymentTransactionState SKPaymentTransactionState;

/// The state of a download; the raw values are Apple's.
enum OPEN_ENUM SKDownloadState : long {
    /// The download has not started, or awaits its turn or the network.
    SKDownloadStateWaiting SWIFT_NAME(waiting) = 0,
    /// The download is in progress.
    SKDownloadStateActive SWIFT_NAME(active) = 1,
    /// The app paused the download.
    SKDownloadStatePaused SWIFT_NAME(paused) = 2,
    /// The download is complete.
    SKDownloadStateFinished SWIFT_NAME(finished) = 3,
    /// The download failed.
    SKDownloadStateFailed SWIFT_NAME(failed) = 4,
    /// The app canceled the download.
    SKDownloadStateCancelled SWIFT_NAME(cancelled) = 5,
};
typedef enum SKDownloadState SKDownloadState;

/// The unit of a subscription period, `SKProduct.PeriodUnit`; the raw values are Apple's.
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

/// The payment mode of a discount, `SKProductDiscount.PaymentMode`; the raw values are Apple's.
enum OPEN_ENUM SKProductDiscountPaymentMode : unsigned long {
    /// The customer pays a discounted price in each period.
    SKProductDiscountPaymentModePayAsYouGo SWIFT_NAME(payAsYouGo) = 0,
    /// The customer pays once for all periods of the offer.
    SKProductDiscountPaymentModePayUpFront SWIFT_NAME(payUpFront) = 1,
    /// The offer is free.
    SKProductDiscountPaymentModeFreeTrial SWIFT_NAME(freeTrial) = 2,
};
typedef enum SKProductDiscountPaymentMode SKProductDiscountPaymentMode;

/// The type of a discount, `SKProductDiscount.Type`; the raw values are Apple's.
enum OPEN_ENUM SKProductDiscountType : unsigned long {
    /// An introductory offer, for new subscribers.
    SKProductDiscountTypeIntroductory SWIFT_NAME(introductory) = 0,
    /// A promotional offer, for existing and former subscribers, signed by the developer's server.
    SKProductDiscountTypeSubscription SWIFT_NAME(subscription) = 1,
};
typedef enum SKProductDiscountType SKProductDiscountType;

/// The code of a StoreKit error, `SKError.Code`; the raw values are Apple's.
enum OPEN_ENUM SKErrorCode : long {
    /// The error is unknown, or the store is unreachable.
    SKErrorUnknown SWIFT_NAME(unknown) = 0,
    /// The client is not allowed to perform the action.
    SKErrorClientInvalid SWIFT_NAME(clientInvalid) = 1,
    /// The user canceled the payment; show no error message.
    SKErrorPaymentCancelled SWIFT_NAME(paymentCancelled) = 2,
    /// The payment's parameters are not valid.
    SKErrorPaymentInvalid SWIFT_NAME(paymentInvalid) = 3,
    /// The user is not allowed to make payments.
    SKErrorPaymentNotAllowed SWIFT_NAME(paymentNotAllowed) = 4,
    /// The product is not available in the storefront.
    SKErrorStoreProductNotAvailable SWIFT_NAME(storeProductNotAvailable) = 5,
    /// The user has not allowed access to the cloud service.
    SKErrorCloudServicePermissionDenied SWIFT_NAME(cloudServicePermissionDenied) = 6,
    /// The network of the cloud service is unreachable.
    SKErrorCloudServiceNetworkConnectionFailed SWIFT_NAME(cloudServiceNetworkConnectionFailed) = 7,
    /// The user has revoked the permission for the cloud service.
    SKErrorCloudServiceRevoked SWIFT_NAME(cloudServiceRevoked) = 8,
    /// The user has not acknowledged the privacy policy.
    SKErrorPrivacyAcknowledgementRequired SWIFT_NAME(privacyAcknowledgementRequired) = 9,
    /// The app is not allowed to set request data.
    SKErrorUnauthorizedRequestData SWIFT_NAME(unauthorizedRequestData) = 10,
    /// The offer identifier is invalid.
    SKErrorInvalidOfferIdentifier SWIFT_NAME(invalidOfferIdentifier) = 11,
    /// The offer's signature is invalid.
    SKErrorInvalidSignature SWIFT_NAME(invalidSignature) = 12,
    /// A parameter of the offer is missing.
    SKErrorMissingOfferParams SWIFT_NAME(missingOfferParams) = 13,
    /// The offer's price is invalid.
    SKErrorInvalidOfferPrice SWIFT_NAME(invalidOfferPrice) = 14,
    /// The user canceled the overlay.
    SKErrorOverlayCancelled SWIFT_NAME(overlayCancelled) = 15,
    /// The overlay's configuration is invalid.
    SKErrorOverlayInvalidConfiguration SWIFT_NAME(overlayInvalidConfiguration) = 16,
    /// The overlay timed out.
    SKErrorOverlayTimeout SWIFT_NAME(overlayTimeout) = 17,
    /// The user is not eligible for the offer.
    SKErrorIneligibleForOffer SWIFT_NAME(ineligibleForOffer) = 18,
    /// The platform does not support the action.
    SKErrorUnsupportedPlatform SWIFT_NAME(unsupportedPlatform) = 19,
    /// The overlay was presented in a background scene.
    SKErrorOverlayPresentedInBackgroundScene SWIFT_NAME(overlayPresentedInBackgroundScene) = 20,
    /// The payment method requires a binding first.
    SKErrorPaymentMethodBindingConfigurationRequired SWIFT_NAME(paymentMethodBindingConfigurationRequired) = 21,
};
typedef enum SKErrorCode SKErrorCode;

#undef OPEN_ENUM
#undef SWIFT_NAME

#endif
