import Foundation
import LocalAppStore
import PurchaseModel
import StoreTestSupport
import Testing

@Suite struct CatalogTests {
    private func read(_ text: String) throws(CatalogError) -> Catalog {
        try Catalog(storekit: Data(text.utf8))
    }

    @Test func `a file from Xcode yields products of five types`() throws {
        let catalog = try TestCatalog.make()
        #expect(catalog.product(.credits)?.type == .consumable)
        #expect(catalog.product(.filter)?.type == .nonConsumable)
        #expect(catalog.product(.season)?.type == .nonRenewing)
        #expect(catalog.product(.magazine)?.type == .autoRenewable)
        #expect(catalog.product(.news)?.type == .freeSubscription)
        #expect(catalog.product(.book)?.isFamilyShareable == true)
        #expect(catalog.product(.credits)?.price.milliunits == 990)
        let terms = catalog.product(.magazine)?.subscription
        #expect(terms?.group == "21A2B3C4")
        #expect(terms?.level == 1)
        #expect(terms?.period == BillingPeriod(1, .month))
        #expect(catalog.product(.news)?.subscription == nil)
        #expect(catalog.products.count == 8)
        #expect(catalog.storefront == .unitedStates)
        #expect(catalog.billingGracePeriodIsEnabled)
    }

    @Test func `missing members get default values, and unknown members are ignored`() throws {
        #expect(try read("{}").products.isEmpty)
        let text = #"{"version":{"major":1,"minor":0,"patch":7},"x":[1,{"y":null}],"products":[{"productID":"a","type":"Consumable"}]}"#
        let product = try #require(try read(text).product("a"))
        #expect(product.price == Money(milliunits: 0, currency: "USD"))
        #expect(product.title == "")
        #expect(product.priceLocale == "en_US")
    }

    @Test func `a file of version 5 with offers and billing plans is read`() throws {
        let catalog = try read(
            """
            {"version":{"major":5,"minor":0},"appPolicies":{"eula":"","policies":[]},"settings":{"_billingGracePeriodEnabled":false,
            "_storeKitErrors":[{"current":null,"enabled":false,"name":"Purchase"}],"_timeRate":15},"subscriptionGroups":[{"id":"G",
            "localizations":[],"name":"g","subscriptions":[{"adHocOffers":[],"codeOffers":[{"eligibility":["new"],"isStackable":true,
            "paymentMode":"free","subscriptionPeriod":"P1M"}],"billingPlans":[{"billingPlanType":"MONTHLY","isEnabled":true}],
            "displayPrice":"19.99","introductoryOffers":[{"paymentMode":"free","subscriptionPeriod":"P1W"}],"productID":"y",
            "recurringSubscriptionPeriod":"P1Y","type":"RecurringSubscription","winbackOffers":[]}]}]}
            """
        )
        #expect(catalog.product("y")?.subscription?.period == BillingPeriod(1, .year))
        #expect(catalog.product("y")?.subscription?.level == 1)
        #expect(!catalog.billingGracePeriodIsEnabled)
    }

    @Test func `a file of a later version is read as far as it is known, and a warning names the rest`() throws {
        let text = """
            {"version":{"major":6,"minor":3},"subscriptionBundleGroups":[{"id":"B"}],"subscriptionSuiteGroups":[],"products":[
            {"productID":"coins","type":"Consumable","displayPrice":"0.99"},{"sku":7,"type":"SubscriptionBundle"}],
            "subscriptionGroups":[{"id":"G","name":"g","subscriptions":[{"productID":"month","displayPrice":"4.99",
            "recurringSubscriptionPeriod":"P1M","seats":{"limit":5},"adHocOffers":[{"offerID":"a","paymentMode":"free",
            "subscriptionPeriod":"P1W"},{"offerID":"b","paymentMode":"payPerSeat"},{"offerID":"c","paymentMode":"free",
            "subscriptionPeriod":"P1W","billingPlanType":"WEEKLY"}],"billingPlans":[{"billingPlanType":"WEEKLY"}]},
            {"productID":"suite","type":"SuiteSubscription"}]}]}
            """
        let catalog = try read(text)
        #expect(catalog.products.map(\.id) == ["coins", "month"])
        #expect(catalog.item("month")?.subscription?.offers.map(\.id) == ["a"])
        #expect(catalog.item("month")?.subscription?.billingPlans.isEmpty == true)
        let subscriptions = "subscriptionGroups[0].subscriptions"
        let ignored = [
            "subscriptionBundleGroups", "subscriptionSuiteGroups", "products[1].sku", "products[1]", "\(subscriptions)[0].seats",
            "\(subscriptions)[0].adHocOffers[1]", "\(subscriptions)[0].adHocOffers[2]", "\(subscriptions)[0].billingPlans[0]",
            "\(subscriptions)[1]",
        ]
        let warning = try #require(catalog.laterVersionWarning)
        #expect(warning.message.hasPrefix("Version 6.3 is later than version 5,"))
        let named = try #require(warning.message.split(separator: "Ignored: ").last).dropLast().split(separator: ", ").map(String.init)
        #expect(Set(named) == Set(ignored) && named.count == ignored.count, "\(named)")
        #expect(catalog.findings.first == warning && catalog.findings.allSatisfy { $0.severity == .warning }, "\(catalog.findings)")
        #expect(Catalog.findings(in: Data(text.utf8)) == catalog.findings)
        // Nothing of what is ignored is lost when the catalog is edited.
        let edited = String(decoding: try catalog.removing("coins").storekit, as: UTF8.self)
        for part in ["\"major\" : 6", "\"minor\" : 3", "\"subscriptionBundleGroups\"", "SubscriptionBundle", "payPerSeat", "\"seats\""] {
            #expect(edited.contains(part), "\(part)")
        }
        // Values that are unknown in a known version are mistakes.
        #expect(throws: CatalogError.self) { try read(text.replacing("\"major\":6", with: "\"major\":5")) }
        #expect(try read(#"{"version":{"major":5,"minor":9},"x":1}"#).laterVersionWarning == nil)
    }

    @Test func `the warning about a later version names 20 places and counts the others`() throws {
        let keys = (0..<3_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        let warning = try #require(try read(#"{"version":{"major":7,"minor":0},\#(keys)}"#).laterVersionWarning)
        #expect(warning.message.contains("k19 and 2980 more.") && !warning.message.contains("k20"))
    }

    @Test func `titles and currency follow the storefront`() throws {
        let german = TestCatalog.storekit.replacing(#""settings" : {}"#, with: #""settings":{"_storefront":"DEU","_locale":"de_DE"}"#)
        let product = try #require(try read(german).product(.credits))
        #expect(product.title == "5 Münzen")
        #expect(product.price == Money(milliunits: 990, currency: "EUR"))
        #expect(try read(german).storefront.id == "143443")
    }

    @Test(arguments: [
        ("", CatalogError.notJSON), ("[]", .notJSON), ("{\"products\":", .notJSON),
        (#"{"products":{}}"#, .wrongType(path: "products")),
        (#"{"products":[7]}"#, .wrongType(path: "products[0]")),
        (#"{"products":[{"type":"Consumable"}]}"#, .missing(path: "products[0].productID")),
        (#"{"products":[{"productID":"a"}]}"#, .missing(path: "products[0].type")),
        (#"{"products":[{"productID":"a","type":"Consumable","displayPrice":1}]}"#, .wrongType(path: "products[0].displayPrice")),
        (#"{"subscriptionGroups":[{"subscriptions":[]}]}"#, .missing(path: "subscriptionGroups[0].id")),
        (
            #"{"subscriptionGroups":[{"id":"g","subscriptions":[{"productID":"a","displayPrice":"1"}]}]}"#,
            .missing(path: "subscriptionGroups[0].subscriptions[0].recurringSubscriptionPeriod")
        ),
        (#"{"version":{"major":0,"minor":0}}"#, .unsupportedVersion(0)), (#"{"version":{"major":-6,"minor":0}}"#, .unsupportedVersion(-6)),
        (
            #"{"products":[{"productID":"a","type":"Consumable"}],"nonRenewingSubscriptions":[{"productID":"a"}]}"#,
            .duplicate(path: "nonRenewingSubscriptions[0].productID", productID: "a")
        ),
    ])
    func `a missing, duplicate or mistyped member is refused with its path`(_ text: String, _ error: CatalogError) {
        #expect(throws: error) { try read(text) }
    }

    @Test(arguments: [
        (#"{"products":[{"productID":"a","type":"Gadget"}]}"#, "products[0].type"),
        (#"{"products":[{"productID":"","type":"Consumable"}]}"#, "products[0].productID"),
        (#"{"products":[{"productID":"a","type":"Consumable","displayPrice":"-1"}]}"#, "products[0].displayPrice"),
        (#"{"products":[{"productID":"a","type":"Consumable","displayPrice":"$1"}]}"#, "products[0].displayPrice"),
        (#"{"settings":{"_storefront":"XYZ"}}"#, "settings._storefront"),
        (
            #"{"subscriptionGroups":[{"id":"g","subscriptions":[{"productID":"a","recurringSubscriptionPeriod":"P1M1D"}]}]}"#,
            "subscriptionGroups[0].subscriptions[0].recurringSubscriptionPeriod"
        ),
    ])
    func `an invalid value is refused with its path`(_ text: String, _ path: String) {
        let error = #expect(throws: CatalogError.self) { try read(text) }
        guard case .invalidValue(path, _) = error else {
            Issue.record("expected an error at \(path), got \(String(describing: error))")
            return
        }
    }

    @Test func `a file over the size limit is refused`() {
        #expect(throws: CatalogError.tooLarge(limit: Catalog.sizeLimit)) {
            try Catalog(storekit: Data(count: Catalog.sizeLimit + 1))
        }
    }
}
