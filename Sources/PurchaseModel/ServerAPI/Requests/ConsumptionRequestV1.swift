public import Foundation

/// What a developer tells about the use of a purchase whose money was asked back, in the first version's numbers.
public struct ConsumptionRequestV1: Codable, Hashable, Sendable {
    /// Whether the customer agreed that this is told; must be true.
    public var customerConsented: Bool
    /// 0 undeclared, 1 not consumed, 2 in part, 3 wholly.
    public var consumptionStatus: Int
    /// 0 undeclared, 1 Apple's, 2 another one.
    public var platform: Int
    /// Whether there was a free sample before.
    public var sampleContentProvided: Bool
    /// 0 delivered and working; 1 to 5 say why not.
    public var deliveryStatus: Int
    /// The customer at the developer's own server: a UUID, or an empty text.
    public var appAccountToken: String
    /// How old the account is: 0 undeclared, 1 to 7 from three days to more than a year.
    public var accountTenure: Int
    /// How long the app was used: 0 undeclared, 1 to 7 from five minutes to more than 16 days.
    public var playTime: Int
    /// What was refunded in all: 0 undeclared, 1 to 7 from nothing to 2,000 dollars.
    public var lifetimeDollarsRefunded: Int
    /// What was bought in all, in the same steps.
    public var lifetimeDollarsPurchased: Int
    /// The account: 0 undeclared, 1 active, 2 suspended, 3 terminated, 4 limited.
    public var userStatus: Int
    /// 0 undeclared, 1 rather grant, 2 rather decline, 3 no preference.
    public var refundPreference: Int?

    /// Creates a request that declares nothing but consent.
    public init(customerConsented: Bool, sampleContentProvided: Bool, deliveryStatus: Int) {
        self.customerConsented = customerConsented
        self.sampleContentProvided = sampleContentProvided
        self.deliveryStatus = deliveryStatus
        consumptionStatus = 0
        platform = 0
        appAccountToken = ""
        accountTenure = 0
        playTime = 0
        lifetimeDollarsRefunded = 0
        lifetimeDollarsPurchased = 0
        userStatus = 0
    }

    /// Reads a body.
    ///
    /// - Throws: The error of the first field that cannot be used.
    public init(json: Data) throws(ServerAPIError) {
        let fields = try ServerAPIFields(json)
        func number(_ name: String, upTo last: Int64, _ error: ServerAPIError) throws(ServerAPIError) -> Int {
            guard let value = try fields.integer(name, or: error), (0...last).contains(value) else { throw error }
            return Int(value)
        }
        guard try fields.bool("customerConsented", or: .invalidCustomerConsented) == true else { throw .invalidCustomerConsented }
        customerConsented = true
        consumptionStatus = try number("consumptionStatus", upTo: 3, .invalidConsumptionStatus)
        platform = try number("platform", upTo: 2, .invalidPlatform)
        let sample = try fields.bool("sampleContentProvided", or: .invalidSampleContentProvided)
        sampleContentProvided = try fields.required(sample, or: .invalidSampleContentProvided)
        deliveryStatus = try number("deliveryStatus", upTo: 5, .invalidDeliveryStatus)
        let token = try fields.string("appAccountToken", or: .invalidAppAccountToken)
        appAccountToken = try fields.required(token, or: .invalidAppAccountToken)
        guard appAccountToken.isEmpty || IdentifierText.uuid(appAccountToken) != nil else { throw .invalidAppAccountToken }
        accountTenure = try number("accountTenure", upTo: 7, .invalidAccountTenure)
        playTime = try number("playTime", upTo: 7, .invalidPlayTime)
        lifetimeDollarsRefunded = try number("lifetimeDollarsRefunded", upTo: 7, .invalidLifetimeDollarsRefunded)
        lifetimeDollarsPurchased = try number("lifetimeDollarsPurchased", upTo: 7, .invalidLifetimeDollarsPurchased)
        userStatus = try number("userStatus", upTo: 4, .invalidUserStatus)
        if fields.has("refundPreference") {
            refundPreference = try number("refundPreference", upTo: 3, .invalidRefundPreference)
        }
    }
}
