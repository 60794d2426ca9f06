/// Why the App Store Server API says no, with the number that it says.
///
/// The first three digits of the number are the HTTP status. Programs go by the number; the message is for people.
///
/// Source: the pages of Apple's errors for the endpoints of ``ServerAPIEndpoint``; Retention Messaging and Advanced Commerce have more.
public enum ServerAPIError: Int64, Error, Hashable, Sendable, CaseIterable {
    /// The request makes no sense.
    case generalBadRequest = 4_000_000
    /// The app's identifier is none.
    case invalidAppIdentifier = 4_000_002
    /// The revision is none, or belongs to a request with other filters.
    case invalidRequestRevision = 4_000_005
    /// The transaction's identifier is none.
    case invalidTransactionId = 4_000_006
    /// The original transaction's identifier is none.
    case invalidOriginalTransactionId = 4_000_008
    /// The number of days is not 1 to 90.
    case invalidExtendByDays = 4_000_009
    /// The reason of an extension is not 0 to 3.
    case invalidExtendReasonCode = 4_000_010
    /// The identifier of the developer's request cannot be used.
    case invalidRequestIdentifier = 4_000_011
    /// The start is longer ago than the history reaches.
    case startDateTooFarInPast = 4_000_012
    /// The start is not before the end.
    case startDateAfterEndDate = 4_000_013
    /// The pagination token is none, or belongs to another request.
    case invalidPaginationToken = 4_000_014
    /// The start is no date.
    case invalidStartDate = 4_000_015
    /// The end is no date.
    case invalidEndDate = 4_000_016
    /// The pagination token is too old.
    case paginationTokenExpired = 4_000_017
    /// The notification's type, or its pair of type and subtype, does not exist.
    case invalidNotificationType = 4_000_018
    /// A transaction and a notification's type exclude each other.
    case multipleFiltersSupplied = 4_000_019
    /// The token of a test notification is none.
    case invalidTestNotificationToken = 4_000_020
    /// The order is none.
    case invalidSort = 4_000_021
    /// The type of product is none.
    case invalidProductType = 4_000_022
    /// The product's identifier cannot be used.
    case invalidProductId = 4_000_023
    /// The subscription group's identifier cannot be used.
    case invalidSubscriptionGroupIdentifier = 4_000_024
    /// The switch for revoked transactions is neither true nor false.
    case invalidExcludeRevoked = 4_000_025
    /// The ownership is none.
    case invalidInAppOwnershipType = 4_000_026
    /// The list of storefronts is empty.
    case invalidEmptyStorefrontCountryCodeList = 4_000_027
    /// A storefront does not exist.
    case invalidStorefrontCountryCode = 4_000_028
    /// The filter for revoked transactions is neither true nor false.
    case invalidRevoked = 4_000_030
    /// The status is not 1 to 5.
    case invalidStatus = 4_000_031
    /// The account's age is out of range.
    case invalidAccountTenure = 4_000_032
    /// The account's token is neither a UUID nor empty.
    case invalidAppAccountToken = 4_000_033
    /// The consumption is out of range.
    case invalidConsumptionStatus = 4_000_034
    /// The customer has not agreed.
    case invalidCustomerConsented = 4_000_035
    /// The state of delivery is none.
    case invalidDeliveryStatus = 4_000_036
    /// The sum of purchases is out of range.
    case invalidLifetimeDollarsPurchased = 4_000_037
    /// The sum of refunds is out of range.
    case invalidLifetimeDollarsRefunded = 4_000_038
    /// The platform is out of range.
    case invalidPlatform = 4_000_039
    /// The time of use is out of range.
    case invalidPlayTime = 4_000_040
    /// Whether there was a sample is neither true nor false.
    case invalidSampleContentProvided = 4_000_041
    /// The state of the account is out of range.
    case invalidUserStatus = 4_000_042
    /// The transaction is not of a consumable; Apple no longer says so.
    case invalidTransactionNotConsumable = 4_000_043
    /// The wish about the refund is none.
    case invalidRefundPreference = 4_000_044
    /// The transaction is of a type that the endpoint does not serve.
    case invalidTransactionTypeNotSupported = 4_000_047
    /// The endpoint does not take the identifier of an app transaction.
    case appTransactionIdNotSupported = 4_000_048
    /// The account's token is no UUID.
    case invalidAppAccountTokenUUID = 4_000_183
    /// The endpoint does not serve what is shared in a family.
    case familyTransactionNotSupported = 4_000_185
    /// The endpoint takes original transactions only.
    case transactionIdIsNotOriginalTransactionId = 4_000_187
    /// The percentage is not 0 to 100,000, or does not go with the wish about the refund. The number is a guess.
    case consumptionPercentageOutOfRange = 4_000_207
    /// What was not delivered cannot have been consumed. The number is a guess.
    case undeliveredConsumptionPercentageNonZero = 4_000_208
    /// Of a subscription, the store itself knows how much was consumed.
    case consumptionPercentageAutoRenewableSubscription = 4_000_209
    /// The endpoint does not serve Advanced Commerce. The number is a guess.
    case advancedCommerceTransactionNotSupported = 4_000_210
    /// The subscription cannot be extended in its state.
    case subscriptionExtensionIneligible = 4_030_004
    /// The subscription was extended twice within a year.
    case subscriptionMaxExtension = 4_030_005
    /// The subscription is a family member's copy.
    case familySharedSubscriptionExtensionIneligible = 4_030_007
    /// Ours: no endpoint has this path in this environment.
    case addressNotFound = 4_040_000
    /// There is no such customer.
    case accountNotFound = 4_040_001
    /// There is no such customer yet; ask again.
    case accountNotFoundRetryable = 4_040_002
    /// There is no such app.
    case appNotFound = 4_040_003
    /// There is no such app yet; ask again.
    case appNotFoundRetryable = 4_040_004
    /// There is no such original transaction of this app in this environment.
    case originalTransactionIdNotFound = 4_040_005
    /// There is no such original transaction yet; ask again.
    case originalTransactionIdNotFoundRetryable = 4_040_006
    /// The app has no address for notifications.
    case serverNotificationURLNotFound = 4_040_007
    /// There is no such test notification, or it was not sent yet.
    case testNotificationNotFound = 4_040_008
    /// There is no such request for extensions.
    case statusRequestNotFound = 4_040_009
    /// There is no such transaction of this app in this environment.
    case transactionIdNotFound = 4_040_010
    /// The customer has no app transaction.
    case appTransactionDoesNotExist = 4_040_019
    /// Ours: the path is that of an endpoint with another method.
    case methodNotAllowed = 4_050_000
    /// Ours: the body is longer than what is read.
    case bodyTooLarge = 4_130_000
    /// Too many requests; ask again when `Retry-After` says, an absolute time in milliseconds.
    case rateLimitExceeded = 4_290_000
    /// The store failed.
    case generalInternal = 5_000_000
    /// The store failed; ask again.
    case generalInternalRetryable = 5_000_001
}

extension ServerAPIError {
    /// Errors whose numbers Apple has not made public: those here are guesses, and this is the only place that lists them.
    public static let guessedNumbers: Set<ServerAPIError> = [
        .consumptionPercentageOutOfRange, .undeliveredConsumptionPercentageNonZero, .advancedCommerceTransactionNotSupported,
    ]

    /// Errors that Apple does not have: what its servers leave without a number.
    public static let ours: Set<ServerAPIError> = [.addressNotFound, .methodNotAllowed, .bodyTooLarge]

    /// The number on the wire.
    public var code: Int64 { rawValue }

    /// The HTTP status that it travels with.
    public var status: Int { Int(rawValue / 10_000) }

    /// The name that Apple's pages call it by, without `Error` at its end.
    public var name: String {
        let name = "\(self)"
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Whether the same request may succeed when it is made again.
    public var isRetryable: Bool {
        switch self {
        case .accountNotFoundRetryable, .appNotFoundRetryable, .originalTransactionIdNotFoundRetryable, .generalInternalRetryable,
            .rateLimitExceeded:
            true
        default: false
        }
    }
}
