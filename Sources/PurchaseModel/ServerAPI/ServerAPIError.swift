/// An error of the App Store Server API, with its error code.
///
/// The first three digits of the error code are the HTTP status. Programs evaluate the error code; the message is for people.
///
/// Source: Apple's documentation of the errors for the endpoints of ``ServerAPIEndpoint``. The errors of the Retention Messaging API and of
/// the Advanced Commerce API are not included.
public enum ServerAPIError: Int64, Error, Hashable, Sendable, CaseIterable {
    /// The request is invalid.
    case generalBadRequest = 4_000_000
    /// The app identifier is invalid.
    case invalidAppIdentifier = 4_000_002
    /// The `limit` of a request for the members of a group is not from 1 to 100.
    case invalidLimit = 4_000_004
    /// The `revision` parameter is invalid, or belongs to a request with other filters.
    case invalidRequestRevision = 4_000_005
    /// The transaction identifier is invalid.
    case invalidTransactionId = 4_000_006
    /// The original transaction identifier is invalid.
    case invalidOriginalTransactionId = 4_000_008
    /// The number of days of a renewal date extension is not from 1 to 90.
    case invalidExtendByDays = 4_000_009
    /// The reason code of a renewal date extension is not from 0 to 3.
    case invalidExtendReasonCode = 4_000_010
    /// The `requestIdentifier` of a renewal date extension is invalid.
    case invalidRequestIdentifier = 4_000_011
    /// The start date of a request for the notification history is more than 180 days in the past.
    case startDateTooFarInPast = 4_000_012
    /// The start date of a request for the notification history is not before its end date.
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
    /// The list of storefront country codes is empty.
    case invalidEmptyStorefrontCountryCodeList = 4_000_027
    /// A storefront's country or region code is invalid.
    case invalidStorefrontCountryCode = 4_000_028
    /// The `revoked` parameter is neither true nor false.
    case invalidRevoked = 4_000_030
    /// The `status` parameter of a request for subscription statuses is not from 1 to 5.
    case invalidStatus = 4_000_031
    /// The `accountTenure` of a consumption request is not from 0 to 7.
    case invalidAccountTenure = 4_000_032
    /// The `appAccountToken` of a consumption request is neither a UUID nor empty.
    case invalidAppAccountToken = 4_000_033
    /// The `consumptionStatus` of a consumption request is not from 0 to 3.
    case invalidConsumptionStatus = 4_000_034
    /// The customer has not consented to sharing consumption data.
    case invalidCustomerConsented = 4_000_035
    /// The `deliveryStatus` of a consumption request is invalid.
    case invalidDeliveryStatus = 4_000_036
    /// The `lifetimeDollarsPurchased` of a consumption request is not from 0 to 7.
    case invalidLifetimeDollarsPurchased = 4_000_037
    /// The `lifetimeDollarsRefunded` of a consumption request is not from 0 to 7.
    case invalidLifetimeDollarsRefunded = 4_000_038
    /// The `platform` of a consumption request is not from 0 to 2.
    case invalidPlatform = 4_000_039
    /// The `playTime` of a consumption request is not from 0 to 7.
    case invalidPlayTime = 4_000_040
    /// The `sampleContentProvided` field is neither true nor false.
    case invalidSampleContentProvided = 4_000_041
    /// The `userStatus` of a consumption request is not from 0 to 4.
    case invalidUserStatus = 4_000_042
    /// The transaction is not a purchase of a consumable; Apple no longer sends this error.
    case invalidTransactionNotConsumable = 4_000_043
    /// The `refundPreference` of a consumption request is invalid.
    case invalidRefundPreference = 4_000_044
    /// The endpoint does not support the transaction's type.
    case invalidTransactionTypeNotSupported = 4_000_047
    /// The endpoint does not support app transaction identifiers.
    case appTransactionIdNotSupported = 4_000_048
    /// The `appAccountToken` of a request to set it is not a UUID.
    case invalidAppAccountTokenUUID = 4_000_183
    /// The endpoint does not support Family Sharing transactions.
    case familyTransactionNotSupported = 4_000_185
    /// The endpoint requires an original transaction identifier.
    case transactionIdIsNotOriginalTransactionId = 4_000_187
    /// The consumption percentage is not from 0 to 100,000, or contradicts the refund preference.
    ///
    /// Apple has not published the error code, so this value is a guess.
    case consumptionPercentageOutOfRange = 4_000_207
    /// The consumption percentage is not 0, although the purchase was not delivered.
    ///
    /// Apple has not published the error code, so this value is a guess.
    case undeliveredConsumptionPercentageNonZero = 4_000_208
    /// The request has a consumption percentage for an auto-renewable subscription.
    case consumptionPercentageAutoRenewableSubscription = 4_000_209
    /// The endpoint does not support Advanced Commerce transactions.
    ///
    /// Apple has not published the error code, so this value is a guess.
    case advancedCommerceTransactionNotSupported = 4_000_210
    /// The group identifier is malformed.
    case invalidGroupId = 4_000_225
    /// The subscription has no seats, or Apple invites the members of its group.
    ///
    /// Apple has not published the error code, so this value is a guess.
    case transactionNotDevManagedGroup = 4_000_226
    /// The endpoint does not support transactions of bundles.
    ///
    /// Apple has not published the error code, so this value is a guess.
    case bundleTransactionIdNotSupported = 4_000_227
    /// Each seat of the group is claimed.
    ///
    /// Apple has not published the error code, so this value is a guess.
    case noAvailableSeats = 4_000_228
    /// The subscription's state does not allow an extension of its renewal date.
    case subscriptionExtensionIneligible = 4_030_004
    /// The renewal date was already extended twice within 365 days.
    case subscriptionMaxExtension = 4_030_005
    /// The subscription is a Family Sharing entitlement, whose renewal date cannot be extended.
    case familySharedSubscriptionExtensionIneligible = 4_030_007
    /// No endpoint has the request's path in this server environment; the App Store has no error code for this case.
    case endpointNotFound = 4_040_000
    /// The customer's App Store account does not exist.
    case accountNotFound = 4_040_001
    /// The customer's App Store account was not found, but the same request can succeed later.
    case accountNotFoundRetryable = 4_040_002
    /// The app does not exist.
    case appNotFound = 4_040_003
    /// The app was not found, but the same request can succeed later.
    case appNotFoundRetryable = 4_040_004
    /// The original transaction does not exist for this app in this environment.
    case originalTransactionIdNotFound = 4_040_005
    /// The original transaction was not found, but the same request can succeed later.
    case originalTransactionIdNotFoundRetryable = 4_040_006
    /// The app has no URL for App Store Server Notifications.
    case serverNotificationURLNotFound = 4_040_007
    /// The test notification does not exist, or has not been sent yet.
    case testNotificationNotFound = 4_040_008
    /// No request to extend renewal dates has this request identifier and product identifier.
    case statusRequestNotFound = 4_040_009
    /// The transaction does not exist for this app in this environment.
    case transactionIdNotFound = 4_040_010
    /// The customer has no app transaction.
    case appTransactionDoesNotExist = 4_040_019
    /// The group does not exist, or its subscription has ended.
    case groupNotFound = 4_040_022
    /// The subscription has no such claim of a seat.
    ///
    /// Apple has not published the error code, so this value is a guess.
    case seatClaimIdNotFound = 4_040_023
    /// The app transaction identifier does not exist for this app in this environment.
    ///
    /// Apple has not published the error code, so this value is a guess.
    case appTransactionIdNotFound = 4_040_024
    /// The endpoint does not support the request's HTTP method; the App Store has no error code for this case.
    case methodNotAllowed = 4_050_000
    /// The request body is too large; the App Store has no error code for this case.
    case bodyTooLarge = 4_130_000
    /// The rate limit is exceeded; the `Retry-After` header contains the time of the next attempt, in milliseconds since 1970.
    case rateLimitExceeded = 4_290_000
    /// The store failed to process the request.
    case generalInternal = 5_000_000
    /// The store failed to process the request, but the same request can succeed later.
    case generalInternalRetryable = 5_000_001
}

extension ServerAPIError {
    /// The errors whose codes are guesses, because Apple has not published them.
    public static let guessedCodes: Set<ServerAPIError> = [
        .consumptionPercentageOutOfRange, .undeliveredConsumptionPercentageNonZero, .advancedCommerceTransactionNotSupported,
        .transactionNotDevManagedGroup, .bundleTransactionIdNotSupported, .noAvailableSeats, .seatClaimIdNotFound,
        .appTransactionIdNotFound,
    ]

    /// The errors that Apple does not define, because the App Store responds without an error code.
    public static let withoutAppleCode: Set<ServerAPIError> = [.endpointNotFound, .methodNotAllowed, .bodyTooLarge]

    /// The error code, such as 4040010.
    public var code: Int64 { rawValue }

    /// The HTTP status of the response.
    public var status: Int { Int(rawValue / 10_000) }

    /// The name of the error, as in Apple's documentation but without the suffix `Error`.
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
