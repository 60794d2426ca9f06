/// An error of the App Store Server API, with its error code.
///
/// The first three digits of the code are the HTTP status. Programs evaluate the code; the message is for people.
///
/// Source: Apple's documentation of the errors for the endpoints of ``ServerAPIEndpoint``. Retention Messaging and Advanced Commerce
/// have further errors.
public enum ServerAPIError: Int64, Error, Hashable, Sendable, CaseIterable {
    /// The request is invalid.
    case generalBadRequest = 4_000_000
    /// The app identifier is invalid.
    case invalidAppIdentifier = 4_000_002
    /// The revision is invalid, or belongs to a request with other filters.
    case invalidRequestRevision = 4_000_005
    /// The transaction identifier is invalid.
    case invalidTransactionId = 4_000_006
    /// The original transaction identifier is invalid.
    case invalidOriginalTransactionId = 4_000_008
    /// The number of days is not from 1 to 90.
    case invalidExtendByDays = 4_000_009
    /// The reason code of a renewal date extension is not from 0 to 3.
    case invalidExtendReasonCode = 4_000_010
    /// The request identifier is invalid.
    case invalidRequestIdentifier = 4_000_011
    /// The start date is earlier than the notification history.
    case startDateTooFarInPast = 4_000_012
    /// The start date is not before the end date.
    case startDateAfterEndDate = 4_000_013
    /// The pagination token is invalid, or belongs to another request.
    case invalidPaginationToken = 4_000_014
    /// The start date is invalid.
    case invalidStartDate = 4_000_015
    /// The end date is invalid.
    case invalidEndDate = 4_000_016
    /// The pagination token has expired.
    case paginationTokenExpired = 4_000_017
    /// The notification type, or its combination with the subtype, is invalid.
    case invalidNotificationType = 4_000_018
    /// The request has both a transaction identifier and a notification type.
    case multipleFiltersSupplied = 4_000_019
    /// The test notification token is invalid.
    case invalidTestNotificationToken = 4_000_020
    /// The sort order is invalid.
    case invalidSort = 4_000_021
    /// The product type is invalid.
    case invalidProductType = 4_000_022
    /// The product identifier is invalid.
    case invalidProductId = 4_000_023
    /// The subscription group identifier is invalid.
    case invalidSubscriptionGroupIdentifier = 4_000_024
    /// The `excludeRevoked` parameter is neither true nor false.
    case invalidExcludeRevoked = 4_000_025
    /// The ownership type is invalid.
    case invalidInAppOwnershipType = 4_000_026
    /// The list of storefronts is empty.
    case invalidEmptyStorefrontCountryCodeList = 4_000_027
    /// A storefront's country or region code is invalid.
    case invalidStorefrontCountryCode = 4_000_028
    /// The `revoked` parameter is neither true nor false.
    case invalidRevoked = 4_000_030
    /// The status is not from 1 to 5.
    case invalidStatus = 4_000_031
    /// The account tenure is out of range.
    case invalidAccountTenure = 4_000_032
    /// The app account token is neither a UUID nor empty.
    case invalidAppAccountToken = 4_000_033
    /// The consumption status is out of range.
    case invalidConsumptionStatus = 4_000_034
    /// The customer has not consented.
    case invalidCustomerConsented = 4_000_035
    /// The delivery status is invalid.
    case invalidDeliveryStatus = 4_000_036
    /// The total amount of purchases is out of range.
    case invalidLifetimeDollarsPurchased = 4_000_037
    /// The total amount of refunds is out of range.
    case invalidLifetimeDollarsRefunded = 4_000_038
    /// The platform is out of range.
    case invalidPlatform = 4_000_039
    /// The play time is out of range.
    case invalidPlayTime = 4_000_040
    /// The `sampleContentProvided` field is neither true nor false.
    case invalidSampleContentProvided = 4_000_041
    /// The status of the customer's account is out of range.
    case invalidUserStatus = 4_000_042
    /// The transaction is not a purchase of a consumable; Apple no longer sends this error.
    case invalidTransactionNotConsumable = 4_000_043
    /// The refund preference is invalid.
    case invalidRefundPreference = 4_000_044
    /// The endpoint does not support the transaction's type.
    case invalidTransactionTypeNotSupported = 4_000_047
    /// The endpoint does not support app transaction identifiers.
    case appTransactionIdNotSupported = 4_000_048
    /// The app account token is not a UUID.
    case invalidAppAccountTokenUUID = 4_000_183
    /// The endpoint does not support Family Sharing transactions.
    case familyTransactionNotSupported = 4_000_185
    /// The endpoint requires an original transaction identifier.
    case transactionIdIsNotOriginalTransactionId = 4_000_187
    /// The consumption percentage is not from 0 to 100,000, or contradicts the refund preference; the code is a guess.
    case consumptionPercentageOutOfRange = 4_000_207
    /// The consumption percentage is not 0, although the purchase was not delivered; the code is a guess.
    case undeliveredConsumptionPercentageNonZero = 4_000_208
    /// The request has a consumption percentage for an auto-renewable subscription.
    case consumptionPercentageAutoRenewableSubscription = 4_000_209
    /// The endpoint does not support Advanced Commerce; the code is a guess.
    case advancedCommerceTransactionNotSupported = 4_000_210
    /// The subscription's state does not allow an extension.
    case subscriptionExtensionIneligible = 4_030_004
    /// The renewal date was already extended twice within 365 days.
    case subscriptionMaxExtension = 4_030_005
    /// The subscription is a Family Sharing entitlement.
    case familySharedSubscriptionExtensionIneligible = 4_030_007
    /// No endpoint has this path in this environment; this project's own error.
    case endpointNotFound = 4_040_000
    /// The customer does not exist.
    case accountNotFound = 4_040_001
    /// The customer does not exist yet; retryable.
    case accountNotFoundRetryable = 4_040_002
    /// The app does not exist.
    case appNotFound = 4_040_003
    /// The app does not exist yet; retryable.
    case appNotFoundRetryable = 4_040_004
    /// The original transaction does not exist for this app in this environment.
    case originalTransactionIdNotFound = 4_040_005
    /// The original transaction does not exist yet; retryable.
    case originalTransactionIdNotFoundRetryable = 4_040_006
    /// The app has no notification URL.
    case serverNotificationURLNotFound = 4_040_007
    /// The test notification does not exist, or has not been sent yet.
    case testNotificationNotFound = 4_040_008
    /// The renewal date extension request does not exist.
    case statusRequestNotFound = 4_040_009
    /// The transaction does not exist for this app in this environment.
    case transactionIdNotFound = 4_040_010
    /// The customer has no app transaction.
    case appTransactionDoesNotExist = 4_040_019
    /// The endpoint at this path has another method; this project's own error.
    case methodNotAllowed = 4_050_000
    /// The request body is too large; this project's own error.
    case bodyTooLarge = 4_130_000
    /// The rate limit is exceeded; retryable after the `Retry-After` time, which is an absolute time in milliseconds.
    case rateLimitExceeded = 4_290_000
    /// The store failed.
    case generalInternal = 5_000_000
    /// The store failed; retryable.
    case generalInternalRetryable = 5_000_001
}

extension ServerAPIError {
    /// The errors whose codes are guesses, because Apple has not published them.
    public static let guessedCodes: Set<ServerAPIError> = [
        .consumptionPercentageOutOfRange, .undeliveredConsumptionPercentageNonZero, .advancedCommerceTransactionNotSupported,
    ]

    /// The errors that Apple does not define, because the App Store responds without an error code.
    public static let withoutAppleCode: Set<ServerAPIError> = [.endpointNotFound, .methodNotAllowed, .bodyTooLarge]

    /// The error code.
    public var code: Int64 { rawValue }

    /// The HTTP status of the response.
    public var status: Int { Int(rawValue / 10_000) }

    /// The name in Apple's documentation, without the suffix `Error`.
    public var name: String {
        let name = "\(self)"
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Whether the same request can succeed later.
    public var isRetryable: Bool {
        switch self {
        case .accountNotFoundRetryable, .appNotFoundRetryable, .originalTransactionIdNotFoundRetryable, .generalInternalRetryable,
            .rateLimitExceeded:
            true
        default: false
        }
    }
}
