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
        (#"{"version":{"major":9,"minor":0}}"#, .unsupportedVersion(9)),
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
