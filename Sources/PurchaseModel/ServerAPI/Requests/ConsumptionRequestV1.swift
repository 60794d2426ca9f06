public import Foundation

/// A request that sends information about the consumption of a purchase, in the numeric format of version 1 of the endpoint.
public struct ConsumptionRequestV1: Codable, Hashable, Sendable {
    /// Whether the customer consented to sharing consumption data; must be true.
    public var customerConsented: Bool
    /// The consumption status: 0 undeclared, 1 not consumed, 2 partially consumed, 3 fully consumed.
    public var consumptionStatus: Int
    /// The platform of the consumption: 0 undeclared, 1 Apple, 2 another platform.
    public var platform: Int
    /// Whether a free sample or trial was available before the purchase.
    public var sampleContentProvided: Bool
    /// The delivery status: 0 when the purchase was delivered and works properly, 1 to 5 for the reason why it was not.
    public var deliveryStatus: Int
    /// The UUID with which the developer's server identifies the customer, or an empty text.
    public var appAccountToken: String
    /// The age of the customer's account: 0 undeclared, then in steps from 1 (up to three days) to 7 (more than a year).
    public var accountTenure: Int
    /// The time that the customer used the app: 0 undeclared, then in steps from 1 (up to five minutes) to 7 (more than 16 days).
    public var playTime: Int
    /// The total amount of the customer's refunds: 0 undeclared, then in steps from 1 (none) to 7 (more than 2,000 US dollars).
    public var lifetimeDollarsRefunded: Int
    /// The total amount of the customer's purchases: 0 undeclared, then in steps from 1 (none) to 7 (more than 2,000 US dollars).
    public var lifetimeDollarsPurchased: Int
    /// The status of the customer's account: 0 undeclared, 1 active, 2 suspended, 3 terminated, 4 limited access.
    public var userStatus: Int
    /// The developer's preferred outcome: 0 undeclared, 1 grant the refund, 2 decline the refund, 3 no preference.
    public var refundPreference: Int?

    /// Creates a request from its required values; all optional values are undeclared.
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

    /// Parses a request body.
    ///
    /// - Throws: ``ServerAPIError/generalBadRequest`` when the body is not a JSON object, or else the error of the first invalid field.
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
