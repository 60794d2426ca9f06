import Crypto
import Foundation
import PurchaseModel
import PurchaseProof
import Testing

@testable import OpenStoreKit
@testable import StoreKit

@Suite struct StoreKit2DecodingTests {
    private func compact(_ payload: some Encodable) throws -> String {
        let parts = [Data(#"{"alg":"ES256"}"#.utf8), try JSONEncoder().encode(payload), Data(repeating: 7, count: 64)]
        return parts.map { Base64URL.encode($0) }.joined(separator: ".")
    }

    private func payload() -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: "20000", originalTransactionId: "10000", bundleId: "com.example.app", productId: "pro",
            purchaseDate: Timestamp(milliseconds: 1_700_000_000_500), originalPurchaseDate: Timestamp(milliseconds: 1_600_000_000_000),
            quantity: 2, type: "Auto-Renewable Subscription", signedDate: Timestamp(milliseconds: 1_700_000_001_000), environment: "Sandbox"
        )
        payload.webOrderLineItemId = "30000"
        payload.subscriptionGroupIdentifier = "group"
        payload.expiresDate = Timestamp(milliseconds: 1_700_000_600_000)
        payload.appAccountToken = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        payload.inAppOwnershipType = "FAMILY_SHARED"
        payload.offerType = 2
        payload.offerIdentifier = "half"
        payload.offerDiscountType = "PAY_AS_YOU_GO"
        payload.offerPeriod = "P3M"
        payload.storefront = "USA"
        payload.storefrontId = "143441"
        payload.transactionReason = "RENEWAL"
        payload.price = 10990
        payload.currency = "USD"
        payload.appTransactionId = "71234"
        payload.revocationDate = Timestamp(milliseconds: 1_700_000_002_000)
        payload.revocationReason = 1
        payload.revocationType = "REFUND_PRORATED"
        payload.revocationPercentage = 33_333
        return payload
    }

    @Test func `a transaction has every field of its signed payload`() throws {
        let payload = payload()
        let signed = SignedTransaction(try compact(payload))
        let transaction = try #require(Transaction(payload, signed: signed, origin: Origin(nil)))
        #expect(transaction.id == 20000)
        #expect(transaction.originalID == 10000)
        #expect(transaction.webOrderLineItemID == "30000")
        #expect(transaction.productID == "pro")
        #expect(transaction.subscriptionGroupID == "group")
        #expect(transaction.appBundleID == "com.example.app")
        #expect(transaction.purchaseDate == Date(timeIntervalSince1970: 1_700_000_000.5))
        #expect(transaction.originalPurchaseDate == Date(timeIntervalSince1970: 1_600_000_000))
        #expect(transaction.expirationDate == Date(timeIntervalSince1970: 1_700_000_600))
        #expect(transaction.purchasedQuantity == 2)
        #expect(!transaction.isUpgraded)
        #expect(transaction.offer?.type == .promotional)
        #expect(transaction.offer?.id == "half")
        #expect(transaction.offer?.paymentMode == .payAsYouGo)
        #expect(transaction.offer?.period == .everyThreeMonths)
        #expect(transaction.offerPeriodStringRepresentation == "P3M")
        #expect(transaction.revocationReason == .developerIssue)
        #expect(transaction.revocationType == .proratedRefund)
        #expect(transaction.revocationPercentage == Decimal(string: "33.333"))
        #expect(transaction.productType == .autoRenewable)
        #expect(transaction.appAccountToken == UUID(uuidString: "7E3FB20B-4CDB-47CC-936D-99D65F608138"))
        #expect(transaction.environment == .sandbox)
        #expect(transaction.reason == .renewal)
        #expect(transaction.storefront.countryCode == "USA")
        #expect(transaction.storefront.id == "143441")
        #expect(transaction.price == Decimal(string: "10.99"))
        #expect(transaction.currency?.identifier == "USD")
        #expect(transaction.ownershipType == .familyShared)
        #expect(transaction.appTransactionID == "71234")
        #expect(transaction.signedDate == Date(timeIntervalSince1970: 1_700_000_001))
        #expect(transaction.deviceVerification.isEmpty)
        let json = try #require(try JSONSerialization.jsonObject(with: transaction.jsonRepresentation) as? [String: Any])
        #expect(json["transactionId"] as? String == "20000")

        let result = VerificationResult<Transaction>.verified(transaction)
        #expect(result.jwsRepresentation == signed.compact)
        #expect(String(decoding: result.headerData, as: UTF8.self) == #"{"alg":"ES256"}"#)
        #expect(result.payloadData == transaction.jsonRepresentation)
        #expect(result.signatureData.count == 64)
        #expect(result.signature.rawRepresentation == result.signatureData)
        #expect(
            String(decoding: result.signedData, as: UTF8.self) + "." == signed.compact.prefix { $0 != "." } + "."
                + signed.compact.split(separator: ".")[1] + ".")
    }

    @Test(arguments: ["", "abc", "-1", "18446744073709551616", "1.0"])
    func `a transaction identifier that is not a UInt64 makes no transaction`(_ id: String) throws {
        var payload = payload()
        payload.transactionId = TransactionID(id)
        #expect(Transaction(payload, signed: SignedTransaction("h.p.s"), origin: Origin(nil)) == nil)
    }

    @Test func `an unverified result has its value in unsafePayloadValue only`() throws {
        let transaction = try #require(Transaction(payload(), signed: SignedTransaction("x"), origin: Origin(nil)))
        let result = VerificationResult<Transaction>.unverified(transaction, .invalidSignature)
        #expect(throws: VerificationResult<Transaction>.VerificationError.invalidSignature) { try result.payloadValue }
        #expect(result.unsafePayloadValue == transaction)
        #expect(result.headerData.isEmpty || result.payloadData.isEmpty)
        #expect(result.signature.rawRepresentation.count == 64)
    }

    @Test(arguments: [
        (Int?.none, Int?.none, 1, true), (2, nil, 0, false), (nil, 0, 1, true), (nil, 1, 1, true),
    ])
    func `renewal info has the fields of its signed payload`(_ intent: Int?, _ increase: Int?, _ renews: Int, _ prefers: Bool) throws {
        var payload = RenewalInfoPayload(
            originalTransactionId: "10000", productId: "pro", autoRenewStatus: renews, environment: "Sandbox",
            signedDate: Timestamp(milliseconds: 1)
        )
        payload.expirationIntent = intent
        payload.priceIncreaseStatus = increase
        payload.renewalPrice = 4990
        payload.currency = "EUR"
        payload.eligibleWinBackOfferIds = ["back"]
        let info = try #require(Product.SubscriptionInfo.RenewalInfo(payload, signed: SignedRenewalInfo("x"), origin: Origin(nil)))
        #expect(info.willAutoRenew == (renews == 1))
        #expect(info.autoRenewPreference == (prefers ? "pro" : nil))
        #expect(info.expirationReason == intent.map { .init(rawValue: $0) })
        #expect(info.priceIncreaseStatus == [nil: .noIncreasePending, 0: .pending, 1: .agreed][increase])
        #expect(info.renewalPrice == Decimal(string: "4.99"))
        #expect(info.currencyCode == "EUR")
        #expect(info.eligibleWinBackOfferIDs == ["back"])
        #expect(info.offer == nil)
    }

    @Test func `a product has the store's description, and its JSON has the App Store's format`() throws {
        let offer = PurchaseModel.SubscriptionOffer(
            kind: .introductory, mode: .freeTrial, period: try #require(BillingPeriod(1, .week)),
            price: Money(milliunits: 0, currency: "USD")
        )
        let winBack = PurchaseModel.SubscriptionOffer(
            kind: .winBack, id: "back", mode: .payAsYouGo, period: try #require(BillingPeriod(1, .month)), periodCount: 3,
            price: Money(milliunits: 990, currency: "USD")
        )
        let described = StoreProduct(
            id: "pro", type: .autoRenewable, title: "Pro", summary: "Everything", price: Money(milliunits: 9990, currency: "USD"),
            priceLocale: "en_US",
            subscription: SubscriptionTerms(
                group: "g", level: 2, period: try #require(BillingPeriod(1, .month)), groupName: "Plans", offers: [offer, winBack]
            ),
            isFamilyShareable: true
        )
        let product = Product(described, origin: Origin(nil))
        #expect(product.id == "pro")
        #expect(product.type == .autoRenewable)
        #expect(product.displayName == "Pro")
        #expect(product.description == "Everything")
        #expect(product.price == Decimal(string: "9.99"))
        #expect(product.displayPrice == "$9.99")
        #expect((product.price * 2).formatted(product.priceFormatStyle) == "$19.98")
        #expect(product.isFamilyShareable)
        let subscription = try #require(product.subscription)
        #expect(subscription.subscriptionGroupID == "g")
        #expect(subscription.groupLevel == 2)
        #expect(subscription.groupDisplayName == "Plans")
        #expect(subscription.subscriptionPeriod == .monthly)
        #expect(subscription.introductoryOffer?.paymentMode == .freeTrial)
        #expect(subscription.introductoryOffer?.id == nil)
        #expect(subscription.introductoryOffer?.period == .weekly)
        #expect(subscription.winBackOffers.map(\.id) == ["back"])
        #expect(subscription.winBackOffers.map(\.displayPrice) == ["$0.99"])
        #expect(subscription.winBackOffers.map(\.periodCount) == [3])
        #expect(subscription.promotionalOffers.isEmpty)

        let json = try #require(try JSONSerialization.jsonObject(with: product.jsonRepresentation) as? [String: Any])
        let attributes = try #require(json["attributes"] as? [String: Any])
        let offers = try #require(attributes["offers"] as? [[String: Any]])
        #expect(attributes["offerName"] as? String == "pro")
        #expect(attributes["kind"] as? String == "Auto-Renewable Subscription")
        #expect(attributes["subscriptionFamilyRank"] as? Int == 2)
        #expect(offers.first?["currencyCode"] as? String == "USD")
        #expect(offers.first?["recurringSubscriptionPeriod"] as? String == "P1M")
        #expect((offers.first?["discounts"] as? [[String: Any]])?.map { $0["modeType"] as? String } == ["FreeTrial", "PayAsYouGo"])
    }

    @Test(arguments: [
        (Product.SubscriptionPeriod.weekly, "1 week", "1 Week"), (.monthly, "1 month", "1 Month"), (.yearly, "1 year", "1 Year"),
        (.everyThreeDays, "3 days", "3 Days"), (.everyTwoWeeks, "2 weeks", "2 Weeks"), (.everySixMonths, "6 months", "6 Months"),
    ])
    func `a period can be formatted and converted to a date range`(_ period: Product.SubscriptionPeriod, _ text: String, _ debug: String)
        throws
    {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let style = PeriodFormatStyle(locale: Locale(identifier: "en_US"))
        #expect(period.formatted(style, referenceDate: start) == text)
        #expect(period.debugDescription == debug)
        #expect(period.dateRange(referenceDate: start).lowerBound == start)
        #expect(
            Calendar(identifier: .gregorian).date(byAdding: DateComponents(subscriptionPeriod: period), to: start)
                == period.dateRange(referenceDate: start).upperBound)
        #expect(Product.SubscriptionPeriod.Unit.day < .week && .month < Product.SubscriptionPeriod.Unit.year)
    }

    private typealias Period = Product.SubscriptionPeriod

    private static let languages: [(String, Period, String, String)] = [
        ("en_GB", .everySixMonths, "6 months", "Month"), ("de_DE", .monthly, "1 Monat", "Monat"),
        ("de_AT", .everyTwoWeeks, "2 Wochen", "Woche"),
        ("fr_FR", .everyThreeMonths, "3 mois", "Mois"), ("fr_CA", .yearly, "1 an", "An"), ("es_MX", .everyThreeDays, "3 días", "Día"),
        ("it_IT", .monthly, "1 mese", "Mese"), ("ja_JP", .everySixMonths, "6か月", "月"), ("ko_KR", .monthly, "1개월", "월"),
        ("zh_CN", .monthly, "1个月", "月"), ("zh_TW", .weekly, "1週", "週"), ("zh-Hant", .monthly, "1個月", "月"),
        ("pt_BR", .yearly, "1 ano", "Ano"),
        ("nl_NL", .everyTwoMonths, "2 maanden", "Maand"), ("ru_RU", .monthly, "1 месяц", "Месяц"),
        ("ru_RU", .everyThreeMonths, "3 месяца", "Месяц"),
        ("ru_RU", .everySixMonths, "6 месяцев", "Месяц"), ("pl_PL", .everyTwoMonths, "2 miesiące", "Miesiąc"),
        ("sv_SE", .weekly, "1 vecka", "Vecka"),
        ("da_DK", .everyTwoWeeks, "2 uger", "Uge"), ("nb_NO", .yearly, "1 år", "År"),
        ("fi_FI", .everyThreeMonths, "3 kuukautta", "Kuukausi"),
        ("tr_TR", .everyTwoWeeks, "2 hafta", "Hafta"), ("eo", .weekly, "1 week", "Week"),
    ]

    @Test(arguments: languages) func `a period is formatted in the locale's language, or in English if there is none`(
        _ locale: String, _ period: Product.SubscriptionPeriod, _ text: String, _ unit: String
    ) {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let style = PeriodFormatStyle(locale: Locale(identifier: "en_US")).locale(Locale(identifier: locale))
        #expect(period.formatted(style, referenceDate: start) == text)
        #expect(period.unit.formatted(Period.Unit.FormatStyle(locale: Locale(identifier: locale))) == unit)
    }

    @Test func `the style and locale of a period's format can be set`() throws {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        var style = PeriodFormatStyle(locale: Locale(identifier: "en_US"))
        #expect(style.style == .wide && style.locale.identifier == "en_US")
        func text() -> String { Product.SubscriptionPeriod.everyThreeMonths.formatted(style, referenceDate: start) }
        style.style = .abbreviated
        #expect(text() == "3 mths")
        style.style = .condensedAbbreviated
        #expect(text() == "3mths")
        style.style = .narrow
        #expect(text() == "3m")
        style.style = .spellOut
        #expect(text() == "three months")
        style.locale = Locale(identifier: "de_DE")
        #expect(text() == "drei Monate")
        style.style = .wide
        let range = start..<start.addingTimeInterval(400 * 86_400)
        #expect(style.format(range) == "1 Jahr, 1 Monat, 4 Tage" && style.format(start..<start) == "0 Tage")
        #expect(try JSONDecoder().decode(type(of: style), from: JSONEncoder().encode(style)) == style)
    }

    @Test func `task states hold and map the loaded value`() async throws {
        struct Failure: Error {}
        let loaded = EntitlementTaskState.success(3)
        #expect(loaded.value == 3 && loaded.map { $0 + 1 }.value == 4)
        #expect(await loaded.map { @Sendable value async in "\(value)" }.value == "3")
        #expect(loaded.flatMap { _ in EntitlementTaskState<Int>.loading }.value == nil)
        guard case .failure(let error) = EntitlementTaskState<Int>.failure(Failure()).map({ $0 + 1 }), error is Failure,
            case .loading = EntitlementTaskState<Int>.loading.map({ $0 + 1 })
        else {
            Issue.record("map changed a state without a value.")
            return
        }
        #expect(EntitlementTaskState<VerificationResult<Transaction>?>.success(nil).transaction == nil)
        #expect(Product.TaskState.unavailable.product == nil && Product.CollectionTaskState.loading.products == nil)
        #expect(Product.CollectionTaskState.success([], unavailable: ["a"]).products == [])
        let relationship: Product.SubscriptionRelationship = [.upgrade, .crossgrade]
        #expect(
            relationship.isSubset(of: .all) && !relationship.contains(.downgrade) && Product.SubscriptionRelationship.all.contains(.current)
        )
    }
}
