import Foundation
import FoundationExtras
import PurchaseTestSupport
import Testing

@testable import PurchaseModel

/// Values that Apple adds after this version: they decode, are encoded again unchanged, and end no paid access.
@Suite struct UnknownValueTests {
    private static let transaction = """
        {"transactionId":"1","originalTransactionId":"1","bundleId":"com.example.app","productId":"club.month","quantity":1,\
        "purchaseDate":1788220800000,"originalPurchaseDate":1788220800000,"expiresDate":1790812800000,"signedDate":1788220800000,\
        "type":"Auto-Renewable Subscription","environment":"Production","inAppOwnershipType":"PURCHASED","webOrderLineItemId":"9"}
        """
    private static let renewal = """
        {"originalTransactionId":"1","productId":"club.month","autoRenewProductId":"club.month","autoRenewStatus":1,\
        "environment":"Production","renewalDate":1790812800000,"signedDate":1788220900000}
        """
    private static let paid = Timestamp(milliseconds: 1_788_307_200_000)

    /// A member with a value that this version does not know.
    struct Value: Sendable, CustomTestStringConvertible {
        let member: String
        let json: String
        /// Whether a paid subscription with the value gives access.
        var isGranted = true
        /// Whether a purchase with the value adds credits.
        var addsCredits = true
        /// Whether this version knows the value, although earlier versions did not.
        var isKnown = false

        var testDescription: String { "\(member): \(json)" }
    }

    static let transactionValues: [Value] = [
        Value(member: "inAppOwnershipType", json: #""LENT""#, addsCredits: false),
        Value(member: "type", json: #""Subscription Bundle""#, addsCredits: false),
        Value(member: "transactionReason", json: #""GIFT""#),
        Value(member: "additionalTransactionReason", json: #""SOMETHING""#),
        Value(member: "offerType", json: "5", isKnown: true),
        Value(member: "offerType", json: "17"),
        Value(member: "offerDiscountType", json: #""BARTER""#),
        Value(member: "billingPlanType", json: #""WEEKLY""#),
        Value(member: "revocationReason", json: "9"),
        Value(member: "revocationType", json: #""LOST""#),
        Value(member: "multiSeatInfo", json: #"{"invitationManagement":"NOBODY","priceTiers":[{"price":1,"quantity":2}]}"#),
        Value(member: "commitmentInfo", json: #"{"billingPeriodNumber":0,"totalBillingPeriods":-1}"#, isKnown: true),
    ]

    static let renewalValues: [Value] = [
        Value(member: "expirationIntent", json: "6", isGranted: false, isKnown: true),
        Value(member: "expirationIntent", json: "12"),
        Value(member: "priceIncreaseStatus", json: "7"),
        Value(member: "offerType", json: "9"),
        Value(member: "renewalBillingPlanType", json: #""WEEKLY""#),
        Value(member: "commitmentInfo", json: #"{"commitmentAutoRenewStatus":4,"commitmentRenewalBillingPlanType":"WEEKLY"}"#),
        Value(member: "autoRenewStatus", json: "3"),
    ]

    /// Returns a JSON object with one member replaced or added.
    private static func object(_ json: String, with value: Value) throws -> Data {
        var object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        object[value.member] = try JSONSerialization.jsonObject(with: Data(value.json.utf8), options: .fragmentsAllowed)
        return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    }

    private static func sorted(_ value: some Encodable) throws -> Data {
        let object = try JSONSerialization.jsonObject(with: try WireJSON.encode(value))
        return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    }

    @Test(arguments: transactionValues) func `an unknown value of a transaction is kept, and ends no paid access`(_ value: Value) throws {
        let json = try Self.object(Self.transaction, with: value)
        let payload = try WireJSON.decode(TransactionPayload.self, from: json)
        #expect(try Self.sorted(payload) == json)
        #expect(payload.unknownValues.contains { $0.member.hasPrefix(value.member) } == !value.isKnown)
        let access = EntitlementProjection.timeline([SignedEvent(transaction: payload, source: "app")])?.latest.access(at: Self.paid)
        #expect(access?.isGranted == value.isGranted)
        #expect(CreditRule.addsCredits(payload) == value.addsCredits)
    }

    @Test(arguments: ["revocationReason", "revocationType"]) func `a revocation for an unknown reason revokes`(_ member: String) throws {
        let value = member == "revocationReason" ? "9" : #""LOST""#
        var json = try Self.object(Self.transaction, with: Value(member: member, json: value))
        json = try Self.object(
            String(decoding: json, as: UTF8.self), with: Value(member: "revocationDate", json: "1788307200000"))
        let payload = try WireJSON.decode(TransactionPayload.self, from: json)
        #expect(EntitlementProjection.timeline([SignedEvent(transaction: payload, source: "app")])?.latest.state == .revoked)
        #expect(CreditRule.revokedPercentage(by: [payload]) == CreditRule.fullPercentage)
    }

    @Test(arguments: renewalValues) func `an unknown value of renewal info is kept, and ends no paid period`(_ value: Value) throws {
        let json = try Self.object(Self.renewal, with: value)
        let renewal = try WireJSON.decode(RenewalInfoPayload.self, from: json)
        #expect(try Self.sorted(renewal) == json)
        #expect(renewal.unknownValues.contains { $0.member.hasPrefix(value.member) } == !value.isKnown)
        let transaction = try WireJSON.decode(TransactionPayload.self, from: Data(Self.transaction.utf8))
        let event = SignedEvent(transaction: transaction, renewal: renewal, source: "EXPIRED")
        #expect(EntitlementProjection.timeline([event])?.latest.access(at: Self.paid).isGranted == value.isGranted)
    }

    @Test(arguments: ["STUDENT", "CONSUMER", "EDUCATION", nil]) func `an unknown store of an app transaction is kept`(_ store: String?)
        throws
    {
        var payload = AppTransactionPayload(receiptType: "Production", bundleId: .test, receiptCreationDate: .testStart)
        payload.storeType = store
        let decoded = try WireJSON.decode(AppTransactionPayload.self, from: try WireJSON.encode(payload))
        #expect(decoded == payload)
        #expect(decoded.store == (store == "STUDENT" ? nil : store == "EDUCATION" ? .education : .consumer))
    }

    /// The charge of a transaction with seats.
    struct Seats: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var price: Int64? = 10_800
        var quantity = 5
        var ownership = "PURCHASED"
        var tiers: [MultiSeatPriceTier]?
        let total: Int64?
    }

    private static let tiers = [MultiSeatPriceTier(price: 9_000, quantity: 2), MultiSeatPriceTier(price: 12_000, quantity: 3)]

    static let charges: [Seats] = [
        Seats(testDescription: "the charge for seats is the sum over the tiers", tiers: tiers, total: 54_000),
        Seats(testDescription: "a rounded average price does not count", price: 10_799, tiers: tiers, total: 54_000),
        Seats(testDescription: "a member's transaction adds nothing", ownership: "ASSIGNED", tiers: tiers, total: 0),
        Seats(testDescription: "without tiers, the average price counts once per seat", tiers: [], total: 54_000),
        Seats(testDescription: "a tier without a price is no reason for an error", tiers: [MultiSeatPriceTier(quantity: 2)], total: 54_000),
        Seats(testDescription: "a sum out of range is no charge", price: .max, tiers: [], total: nil),
        Seats(testDescription: "a purchase without seats states its charge", tiers: nil, total: 10_800),
        Seats(testDescription: "a transaction without a price states no charge", price: nil, tiers: nil, total: nil),
    ]

    @Test(arguments: charges) func `the charge of a transaction counts seats once`(_ seats: Seats) {
        var payload = TransactionPayload.sample(type: .autoRenewable, quantity: seats.quantity)
        payload.price = seats.price
        payload.inAppOwnershipType = seats.ownership
        payload.multiSeatInfo = seats.tiers.map { TransactionMultiSeatInfo(invitationManagement: "APPLE", priceTiers: $0) }
        #expect(payload.total == seats.total)
    }

    @Test func `a move to a bundle revokes the single subscription, and debits no credits`() {
        var payload = TransactionPayload.sample(type: .autoRenewable, date: .testStart, expires: .testStart.adding(days: 30))
        payload.webOrderLineItemId = "9"
        payload.revocationDate = .testStart.adding(days: 3)
        payload.revocationReason = PurchaseRevocationReason.upgradedToBundle.rawValue
        payload.revocationType = RevocationType.fullRefund.rawValue
        #expect(EntitlementProjection.timeline([SignedEvent(transaction: payload, source: "app")])?.latest.state == .revoked)
        #expect(CreditRule.revokedPercentage(by: [payload]) == 0)
        payload.revocationReason = PurchaseRevocationReason.other.rawValue
        #expect(CreditRule.revokedPercentage(by: [payload]) == CreditRule.fullPercentage)
    }
}
