import Foundation
import LocalAppStore
import Testing

/// Tests of the errors and warnings about `.storekit` files.
@Suite struct CatalogLintTests {
    /// A file with one subscription that has the required members and the given members.
    private static func subscription(_ members: String, more: String = "", version: Int = 4) -> String {
        """
        {"version":{"major":\(version),"minor":0},"subscriptionGroups":[{"id":"G","name":"g","subscriptions":[{"productID":"a",\(texts),
        "displayPrice":"1","recurringSubscriptionPeriod":"P1M"\(members.isEmpty ? "" : ",")\(members)}\(more)]}]}
        """
    }

    private static func product(_ members: String, more: String = "") -> String {
        """
        {"version":{"major":4,"minor":0},"products":[{"productID":"a","type":"Consumable","displayPrice":"1"\(members)}\(more)]}
        """
    }

    private static func settings(_ members: String) -> String {
        #"{"version":{"major":4,"minor":0},"settings":{\#(members)}}"#
    }

    private static let texts = #""localizations":[{"locale":"en_US","displayName":"A"}]"#
    private static let free = #""paymentMode":"free","subscriptionPeriod":"P1W""#
    private static let inGroup = "subscriptionGroups[0].subscriptions[0]"

    static let errors: [(String, String)] = [
        ("", "$"), ("[]", "$"), (#"{"a":"#, "$"), (#"{"version":4}"#, "version"), (#"{"version":{}}"#, "version.major"),
        (#"{"version":{"major":0}}"#, "version.major"), (#"{"version":{"major":0}}"#, "version.major"),
        (product("", more: #",{"productID":"a","type":"Consumable","displayPrice":"1"}"#), "products[1].productID"),
        (product(#","x":1},{"productID":7"#), "products[1].productID"),
        (#"{"products":[{"productID":"a","type":"Consumable","displayPrice":"1,99"}]}"#, "products[0].displayPrice"),
        (#"{"products":[{"productID":"a","type":"RecurringSubscription"}]}"#, "products[0].type"),
        (#"{"products":[{"productID":"a","type":3}]}"#, "products[0].type"),
        (product(#","familyShareable":"yes""#), "products[0].familyShareable"),
        (product(#","localizations":{}"#), "products[0].localizations"),
        (product(#","localizations":[1]"#), "products[0].localizations[0]"),
        (#"{"subscriptionGroups":[{"id":"","subscriptions":[]}]}"#, "subscriptionGroups[0].id"),
        (#"{"subscriptionGroups":[{"id":"g","subscriptions":[{"productID":"a","type":"Consumable"}]}]}"#, "\(inGroup).type"),
        (subscription(#""groupNumber":1.5"#), "\(inGroup).groupNumber"), (subscription(#""groupNumber":1e400"#), "\(inGroup).groupNumber"),
        (subscription(#""introductoryOffer":{"subscriptionPeriod":"P1W"}"#), "\(inGroup).introductoryOffer.paymentMode"),
        (
            subscription(#""introductoryOffer":{"paymentMode":"later","subscriptionPeriod":"P1W"}"#),
            "\(inGroup).introductoryOffer.paymentMode"
        ),
        (subscription(#""introductoryOffer":{"paymentMode":"free"}"#), "\(inGroup).introductoryOffer.subscriptionPeriod"),
        (
            subscription(#""introductoryOffer":{"paymentMode":"free","subscriptionPeriod":"3 days"}"#),
            "\(inGroup).introductoryOffer.subscriptionPeriod"
        ),
        (
            subscription(#""introductoryOffer":{"paymentMode":"payUpFront","subscriptionPeriod":"P1W"}"#),
            "\(inGroup).introductoryOffer.displayPrice"
        ),
        (
            subscription(#""adHocOffers":[{"paymentMode":"payUpFront","subscriptionPeriod":"P1W","offerID":"o","displayPrice":"x"}]"#),
            "\(inGroup).adHocOffers[0].displayPrice"
        ),
        (subscription(#""adHocOffers":[{\#(free)}]"#), "\(inGroup).adHocOffers[0].offerID"),
        (subscription(#""adHocOffers":[{\#(free),"offerID":"a\u2063b"}]"#), "\(inGroup).adHocOffers[0].offerID"),
        (subscription(#""winbackOffers":[{\#(free),"offerID":""}]"#), "\(inGroup).winbackOffers[0].offerID"),
        (
            subscription(#""billingPlans":[{"billingPlanType":"WEEKLY","displayPrice":"1"}]"#, version: 5),
            "\(inGroup).billingPlans[0].billingPlanType"
        ),
        (subscription(#""billingPlans":[{"displayPrice":"1"}]"#, version: 5), "\(inGroup).billingPlans[0].billingPlanType"),
        (settings(#""_storefront":"usa""#), "settings._storefront"), (settings(#""_timeRate":"fast""#), "settings._timeRate"),
        (settings(#""_askToBuyEnabled":1"#), "settings._askToBuyEnabled"), (#"{"settings":[]}"#, "settings"),
    ]

    @Test(arguments: errors)
    func `an error is reported with its path and makes the file unusable`(_ text: String, _ path: String) throws {
        let data = Data(text.utf8)
        let finding = try #require(Catalog.findings(in: data).first { $0.severity == .error })
        #expect(finding.path == path)
        #expect(finding.message.hasSuffix("."))
        let error = #expect(throws: CatalogError.self) { try Catalog(storekit: data) }
        #expect(error?.path == path)
    }

    static let warnings: [(String, String)] = [
        (#"{}"#, "version"), (#"{"version":{"major":4,"minor":-1}}"#, "version.minor"),
        (#"{"version":{"major":4,"minor":0},"extra":1}"#, "extra"),
        (#"{"version":{"major":1,"minor":0},"identifier":"1"}"#, "identifier"),
        (#"{"version":{"major":4,"minor":0},"identifier":1}"#, "identifier"),
        (#"{"version":{"major":4,"minor":0},"products":[],"products":[]}"#, "products"),
        (product(""), "products[0].localizations"), (product(#","localizations":[],"displayPrice":"2""#), "products[0].displayPrice"),
        (#"{"products":[{"productID":"a","type":"Consumable","displayPrice":""}]}"#, "products[0].displayPrice"),
        (product(#","localizations":[{"locale":"en_US","displayName":""}]"#), "products[0].localizations[0].displayName"),
        (product(#","localizations":[{"locale":"?","displayName":"A"}]"#), "products[0].localizations[0].locale"),
        (
            product(#","localizations":[{"locale":"en_US","displayName":"A"},{"locale":"en-US","displayName":"B"}]"#),
            "products[0].localizations[1].locale"
        ),
        (product(#","familyShareable":true"#), "products[0].familyShareable"),
        (product(#","internalID":"1""#, more: #",{"productID":"b","type":"Consumable","internalID":"1"}"#), "products[1].internalID"),
        (product(#","referenceName":7"#), "products[0].referenceName"),
        (product(#","_tillrollPrices":{"XYZ":"1"}"#), "products[0]._tillrollPrices"),
        (product(#","_tillrollPrices":3"#), "products[0]._tillrollPrices"),
        (#"{"version":{"major":4,"minor":0},"products":[{"productID":"a","type":"NonRenewingSubscription"}]}"#, "products[0]"),
        (#"{"nonRenewingSubscriptions":[{"productID":"a","type":"Consumable"}]}"#, "nonRenewingSubscriptions[0]"),
        (
            #"{"products":[{"productID":"a","type":"Consumable","displayPrice":"0.99"}],"settings":{"_storefront":"JPN"}}"#,
            "products[0].displayPrice"
        ),
        (#"{"subscriptionGroups":[{"id":"g","name":"","subscriptions":[]}]}"#, "subscriptionGroups[0].name"),
        (#"{"subscriptionGroups":[{"id":"g","name":"n","subscriptions":[]}]}"#, "subscriptionGroups[0].subscriptions"),
        (#"{"subscriptionGroups":[{"id":"g"},{"id":"g"}]}"#, "subscriptionGroups[1].id"),
        (subscription(#""subscriptionGroupID":"H""#), "\(inGroup).subscriptionGroupID"),
        (subscription(#""groupNumber":0"#), "\(inGroup).groupNumber"),
        (subscription(#""recurringSubscriptionPeriod":"P1M""#), "\(inGroup).recurringSubscriptionPeriod"),
        (
            #"{"subscriptionGroups":[{"id":"g","subscriptions":[{"productID":"a","displayPrice":"1","recurringSubscriptionPeriod":"P3D"}]}]}"#,
            "\(inGroup).recurringSubscriptionPeriod"
        ),
        (subscription(#""introductoryOffers":[]"#), "\(inGroup).introductoryOffers"),
        (
            subscription(
                #""introductoryOffer":{\#(free)},"introductoryOffers":[{"paymentMode":"free","subscriptionPeriod":"P1M"}]"#, version: 5),
            "\(inGroup).introductoryOffer"
        ),
        (subscription(#""introductoryOffers":[{\#(free)},{\#(free)}]"#, version: 5), "\(inGroup).introductoryOffers[1]"),
        (subscription(#""introductoryOffer":{\#(free),"numberOfPeriods":2}"#), "\(inGroup).introductoryOffer.numberOfPeriods"),
        (subscription(#""introductoryOffer":{\#(free),"numberOfPeriods":0}"#), "\(inGroup).introductoryOffer.numberOfPeriods"),
        (
            subscription(#""introductoryOffer":{"paymentMode":"payAsYouGo","subscriptionPeriod":"P1W","displayPrice":"1"}"#),
            "\(inGroup).introductoryOffer.subscriptionPeriod"
        ),
        (subscription(#""adHocOffers":[{\#(free),"offerID":"o"},{\#(free),"offerID":"o"}]"#), "\(inGroup).adHocOffers[1].offerID"),
        (subscription(#""codeOffers":[{\#(free),"eligibility":["new"]}]"#), "\(inGroup).codeOffers[0].referenceName"),
        (subscription(#""codeOffers":[{\#(free),"referenceName":"r"}]"#), "\(inGroup).codeOffers[0].eligibility"),
        (
            subscription(#""codeOffers":[{\#(free),"referenceName":"r","eligibility":["new","old"]}]"#),
            "\(inGroup).codeOffers[0].eligibility[1]"
        ),
        (
            subscription(
                #""winbackOffers":[{\#(free),"offerID":"w"}]"#,
                more:
                    #",{"productID":"b","displayPrice":"1","recurringSubscriptionPeriod":"P1M","winbackOffers":[{\#(free),"offerID":"w"}]}"#
            ),
            "subscriptionGroups[0].subscriptions[1].winbackOffers[0].offerID"
        ),
        (
            subscription(#""billingPlans":[{"billingPlanType":"MONTHLY"},{"billingPlanType":"MONTHLY"}]"#, version: 5),
            "\(inGroup).billingPlans[1].billingPlanType"
        ),
        (settings(#""_locale":"american""#), "settings._locale"), (settings(#""_timeRate":14"#), "settings._timeRate"),
        (settings(#""_compatibilityTimeRate":1"#), "settings._compatibilityTimeRate"),
        (settings(#""_applicationInternalID":"x""#), "settings._applicationInternalID"),
        (settings(#""_lastSynchronizedDate":1e400"#), "settings._lastSynchronizedDate"),
        (settings(#""_storeKitErrors":[{"name":"Dance"}]"#), "settings._storeKitErrors[0].name"),
        (settings(#""_storeKitErrors":[{"name":"Purchase","enabled":true}]"#), "settings._storeKitErrors[0].current"),
        (
            settings(#""_storeKitErrors":[{"name":"Purchase","current":{"type":"x","index":0}}]"#),
            "settings._storeKitErrors[0].current.type"
        ),
        (#"{"subscriptionOffersKeyPair":{"id":"K","privateKey":"AAAA"}}"#, "subscriptionOffersKeyPair.privateKey"),
        (#"{"subscriptionOffersKeyPair":{"privateKey":"AAAA"}}"#, "subscriptionOffersKeyPair.id"),
    ]

    @Test(arguments: warnings)
    func `a warning is reported with its path and leaves the file usable`(_ text: String, _ path: String) throws {
        let data = Data(text.utf8)
        let findings = Catalog.findings(in: data)
        #expect(findings.contains { $0.path == path && $0.severity == .warning }, "\(findings)")
        #expect(findings.allSatisfy { $0.severity == .warning && $0.message.hasSuffix(".") }, "\(findings)")
        #expect(try Catalog(storekit: data).findings == findings)
    }

    @Test func `all findings are reported at once, errors first`() {
        let text = #"{"products":[{"productID":"a","extra":1,"type":"Gadget"},{"displayPrice":"x"}],"settings":{"_storefront":"XYZ"}}"#
        let errors = Catalog.findings(in: Data(text.utf8)).prefix { $0.severity == .error }
        #expect(
            errors.map(\.path) == [
                "settings._storefront", "products[0].type", "products[1].productID", "products[1].displayPrice", "products[1].type",
            ]
        )
    }

    @Test func `a syntax error is reported with its line and column`() {
        let finding = Catalog.findings(in: Data("{\n  \"é\" : 1,\n  \"é\" ! 2\n}".utf8)).first
        #expect(finding?.message.contains("line 3, column 7") == true)
    }

    static let hostile: [(String, Data)] = [
        ("deep", Data((String(repeating: #"{"a":"#, count: 100_000)).utf8)),
        (
            "deep arrays",
            Data((#"{"products":"# + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000) + "}").utf8)
        ),
        ("invalid UTF-8", Data(#"{"products":""#.utf8) + Data([0xFF, 0xFE]) + Data(#""}"#.utf8)),
        ("lone surrogate", Data(#"{"identifier":"\uD800"}"#.utf8)),
        ("long", Data(count: Catalog.sizeLimit + 1)),
    ]

    @Test(arguments: hostile)
    func `hostile text causes an error, not a trap`(_ name: String, _ data: Data) {
        #expect(throws: CatalogError.self) { try Catalog(storekit: data) }
        #expect(Catalog.findings(in: data).map(\.severity) == [.error])
    }

    @Test(arguments: ["1e400", "-1e400", "9223372036854775808", "-0", "1e-400", "0.5", "null", "[]", "{}", "true", #""\u0000""#])
    func `no value of any key causes a trap`(_ value: String) throws {
        let text = try StorekitSample.all.map { try $0.text }.joined(separator: "\n")
        let keys = Set(text.matches(of: #/"(\w+)" : /#).map { String($0.1) })
        #expect(keys.count > 50)
        for sample in StorekitSample.all where ["3.0", "5.0"].contains(sample.version) {
            for key in keys {
                let changed = try sample.text.replacing(try Regex("\"\(key)\" : (\"[^\"]*\"|[\\w.]+)"), with: "\"\(key)\" : \(value)")
                if let catalog = try? Catalog(storekit: Data(changed.utf8)) {
                    #expect(try Catalog(storekit: catalog.storekit).products == catalog.products)
                }
            }
        }
    }

    @Test func `findings beyond the limit are counted and not listed`() {
        let text = "{" + (0..<5000).map { "\"k\($0)\":0" }.joined(separator: ",") + "}"
        let findings = Catalog.findings(in: Data(text.utf8))
        #expect(findings.count == CatalogFinding.limit + 1)
        #expect(findings.last?.message.contains("4001 more") == true)
    }
}
