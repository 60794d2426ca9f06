import Foundation
import FoundationExtras
import PurchaseModel
import Testing

@Suite struct ServerAPIBodyTests {
    private static let consumption = """
        {"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false,
        "consumptionPercentage":50000,"refundPreference":"GRANT_PRORATED"}
        """
    private static let consumptionV1 = """
        {"customerConsented":true,"consumptionStatus":3,"platform":2,"sampleContentProvided":true,"deliveryStatus":5,
        "appAccountToken":"","accountTenure":7,"playTime":7,"lifetimeDollarsRefunded":7,"lifetimeDollarsPurchased":7,"userStatus":4,
        "refundPreference":3}
        """
    private static let mass = """
        {"extendByDays":90,"extendReasonCode":3,"requestIdentifier":"3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84","productId":"p",
        "storefrontCountryCodes":["USA"]}
        """
    private static let history = #"{"startDate":1000,"endDate":2000,"notificationType":"SUBSCRIBED","notificationSubtype":"INITIAL_BUY"}"#

    /// Returns the JSON object with one member replaced, or removed when `value` is nil.
    private static func change(_ json: String, _ name: String, _ value: String?) throws -> Data {
        var members = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        members[name] = try value.map { try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed) }
        return try JSONSerialization.data(withJSONObject: members)
    }

    @Test(
        arguments: [
            ("customerConsented", nil, ServerAPIError.invalidCustomerConsented),
            ("customerConsented", "false", .invalidCustomerConsented), ("customerConsented", "\"true\"", .invalidCustomerConsented),
            ("deliveryStatus", nil, .invalidDeliveryStatus), ("deliveryStatus", "0", .invalidDeliveryStatus),
            ("deliveryStatus", "\"LOST\"", .invalidDeliveryStatus), ("sampleContentProvided", nil, .invalidSampleContentProvided),
            ("sampleContentProvided", "null", .invalidSampleContentProvided),
            ("sampleContentProvided", "\"a\"", .invalidSampleContentProvided),
            ("refundPreference", "1", .invalidRefundPreference), ("refundPreference", "\"GRANT\"", .invalidRefundPreference),
            ("consumptionPercentage", "-1", .consumptionPercentageOutOfRange),
            ("consumptionPercentage", "100001", .consumptionPercentageOutOfRange),
            ("consumptionPercentage", "1e30", .consumptionPercentageOutOfRange),
            ("consumptionPercentage", "\"1\"", .consumptionPercentageOutOfRange),
            ("consumptionPercentage", "0", .consumptionPercentageOutOfRange),
            ("consumptionPercentage", "100000", .consumptionPercentageOutOfRange),
            ("deliveryStatus", "\"UNDELIVERED_OTHER\"", .undeliveredConsumptionPercentageNonZero),
        ] as [(String, String?, ServerAPIError)])
    func `each field of consumption information has its own error`(_ name: String, _ value: String?, _ error: ServerAPIError) throws {
        let body = try Self.change(Self.consumption, name, value)
        #expect(throws: error) { try ConsumptionRequest(json: body, about: .consumable) }
    }

    @Test func `consumption information survives encoding, and a subscription has no consumption percentage`() throws {
        let request = try ConsumptionRequest(json: Data(Self.consumption.utf8), about: .nonConsumable)
        #expect(request.refundPreference == .grantProrated)
        #expect(request.consumptionPercentage == 50_000)
        #expect(try ConsumptionRequest(json: try WireJSON.encode(request), about: .consumable) == request)
        #expect(throws: ServerAPIError.consumptionPercentageAutoRenewableSubscription) {
            try ConsumptionRequest(json: Data(Self.consumption.utf8), about: .autoRenewable)
        }
        let subscription = try Self.change(Self.consumption, "consumptionPercentage", nil)
        #expect(try ConsumptionRequest(json: subscription, about: .autoRenewable).refundPreference == .grantProrated)
    }

    @Test(arguments: [
        ("customerConsented", "false", ServerAPIError.invalidCustomerConsented), ("consumptionStatus", "4", .invalidConsumptionStatus),
        ("platform", "3", .invalidPlatform), ("sampleContentProvided", "\"x\"", .invalidSampleContentProvided),
        ("deliveryStatus", "6", .invalidDeliveryStatus), ("appAccountToken", "\"ada\"", .invalidAppAccountToken),
        ("accountTenure", "8", .invalidAccountTenure), ("playTime", "-1", .invalidPlayTime),
        ("lifetimeDollarsRefunded", "8", .invalidLifetimeDollarsRefunded),
        ("lifetimeDollarsPurchased", "\"1\"", .invalidLifetimeDollarsPurchased), ("userStatus", "5", .invalidUserStatus),
        ("refundPreference", "4", .invalidRefundPreference),
    ])
    func `each field of consumption information v1 has its own error`(_ name: String, _ value: String, _ error: ServerAPIError) throws {
        #expect(throws: error) { try ConsumptionRequestV1(json: try Self.change(Self.consumptionV1, name, value)) }
        guard name != "refundPreference" else { return }
        #expect(throws: error) { try ConsumptionRequestV1(json: try Self.change(Self.consumptionV1, name, nil)) }
    }

    @Test func `the largest values of consumption information v1 are accepted`() throws {
        #expect(try ConsumptionRequestV1(json: Data(Self.consumptionV1.utf8)).playTime == 7)
    }

    @Test(
        arguments: [
            ("extendByDays", "0", ServerAPIError.invalidExtendByDays), ("extendByDays", "91", .invalidExtendByDays),
            ("extendByDays", nil, .invalidExtendByDays), ("extendReasonCode", "4", .invalidExtendReasonCode),
            ("extendReasonCode", nil, .invalidExtendReasonCode), ("requestIdentifier", "\"x\"", .invalidRequestIdentifier),
            ("requestIdentifier", nil, .invalidRequestIdentifier), ("productId", nil, .invalidProductId),
            ("productId", "\"\"", .invalidProductId),
            ("storefrontCountryCodes", "[]", .invalidEmptyStorefrontCountryCodeList),
            ("storefrontCountryCodes", "[\"US\"]", .invalidStorefrontCountryCode),
            ("storefrontCountryCodes", "\"USA\"", .invalidStorefrontCountryCode),
            ("storefrontCountryCodes", "[1]", .invalidStorefrontCountryCode),
        ] as [(String, String?, ServerAPIError)])
    func `each field of a mass extension has its own error`(_ name: String, _ value: String?, _ error: ServerAPIError) throws {
        #expect(throws: error) { try MassExtendRenewalDateRequest(json: try Self.change(Self.mass, name, value)) }
    }

    @Test func `the request identifier of a single extension has 1 to 128 characters`() throws {
        func request(_ name: String) throws -> ExtendRenewalDateRequest {
            try ExtendRenewalDateRequest(json: try Self.change(Self.mass, "requestIdentifier", "\"\(name)\""))
        }
        #expect(try request(String(repeating: "é", count: 128)).extendReasonCode == .serviceIssue)
        #expect(throws: ServerAPIError.invalidRequestIdentifier) { try request(String(repeating: "x", count: 129)) }
        #expect(throws: ServerAPIError.invalidRequestIdentifier) { try request("") }
        #expect(try MassExtendRenewalDateRequest(json: Data(Self.mass.utf8)).storefrontCountryCodes == ["USA"])
    }

    @Test(arguments: ["{}", #"{"appAccountToken":""}"#, #"{"appAccountToken":7}"#, #"{"appAccountToken":"ada"}"#])
    func `an app account token is a UUID`(_ body: String) throws {
        #expect(throws: ServerAPIError.invalidAppAccountTokenUUID) { try AppAccountTokenRequest(json: Data(body.utf8)) }
        let good = #"{"appAccountToken":"3C6F8A52-91D4-4E0B-A7F3-5D2B1C0E9F84"}"#
        #expect(try AppAccountTokenRequest(json: Data(good.utf8)).appAccountToken == "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84")
    }

    @Test(
        arguments: [
            ("startDate", nil, ServerAPIError.invalidStartDate), ("startDate", "\"1\"", .invalidStartDate),
            ("startDate", "-1", .invalidStartDate), ("endDate", nil, .invalidEndDate), ("endDate", "1.5", .invalidEndDate),
            ("startDate", "2000", .startDateAfterEndDate), ("notificationType", "\"X\"", .invalidNotificationType),
            ("notificationType", "1", .invalidNotificationType), ("notificationType", nil, .invalidNotificationType),
            ("notificationSubtype", "\"VOLUNTARY\"", .invalidNotificationType), ("transactionId", "\"1\"", .multipleFiltersSupplied),
            ("transactionId", "1", .invalidTransactionId), ("onlyFailures", "\"x\"", .generalBadRequest),
        ] as [(String, String?, ServerAPIError)])
    func `each field of a notification history request has its own error`(_ name: String, _ value: String?, _ error: ServerAPIError) throws
    {
        let body = try Self.change(Self.history, name, value)
        #expect(throws: error) { try NotificationHistoryRequest(json: body, now: Timestamp(milliseconds: 3000)) }
    }

    @Test func `a notification history starts at most 180 days ago`() throws {
        let body = Data(Self.history.utf8)
        let last = Timestamp(milliseconds: 1000).adding(days: 180)
        #expect(try NotificationHistoryRequest(json: body, now: last).startDate == Timestamp(milliseconds: 1000))
        #expect(throws: ServerAPIError.startDateTooFarInPast) {
            try NotificationHistoryRequest(json: body, now: last.adding(milliseconds: 1))
        }
    }

    @Test(arguments: ["", "[]", "1", "{", "\u{1}", String(repeating: "[", count: 100_000), #"{"extendByDays":1e999}"#])
    func `a body that is not a valid JSON object is a bad request`(_ body: String) {
        #expect(throws: ServerAPIError.generalBadRequest) { try ExtendRenewalDateRequest(json: Data(body.utf8)) }
    }

    @Test func `every notification subtype belongs to a notification type`() {
        let all = NotificationType.allCases.reduce(into: Set<NotificationSubtype>()) { $0.formUnion($1.subtypes) }
        #expect(all == Set(NotificationSubtype.allCases))
    }
}
