import Foundation
import LocalAppStore
import PurchaseModel
import StoreTestSupport
import Testing

/// Tests that edit the products, groups and settings of a catalog.
@Suite struct CatalogEditingTests {
    private static let small: ProductID = "org.example.orchard.small"
    private static let apples: ProductID = "org.example.orchard.apples10"

    private static func lines(_ catalog: Catalog) -> [Substring] {
        String(decoding: catalog.storekit, as: UTF8.self).split(separator: "\n")
    }

    @Test(arguments: StorekitSample.all)
    func `setting equal values changes no byte`(_ sample: StorekitSample) throws {
        var catalog = try Catalog(storekit: sample.data)
        for item in catalog.items { catalog = try catalog.setting(item) }
        for group in catalog.groups { catalog = try catalog.setting(group) }
        catalog = try catalog.setting(catalog.settings)
        #expect(catalog.storekit == (try sample.data))
    }

    @Test(arguments: StorekitSample.all)
    func `a catalog can be rebuilt from its parts`(_ sample: StorekitSample) throws {
        let original = try Catalog(storekit: sample.data)
        var copy = try Catalog.empty.setting(original.settings)
        for group in original.groups { copy = try copy.setting(group) }
        for item in original.items { copy = try copy.setting(item) }
        #expect(copy.settings == original.settings)
        #expect(Set(copy.items) == Set(original.items))
        #expect(copy.groups == original.groups)
        let again = try Catalog(storekit: copy.storekit)
        #expect(again.items == copy.items)
        #expect(copy.findings.isEmpty && again.findings.isEmpty, "\(copy.findings)")
    }

    @Test func `a price change edits one line and leaves the original catalog unchanged`() throws {
        let before = try StorekitSample.catalog("4.0")
        var product = try #require(before.item(Self.small))
        product.price = Money(milliunits: 2490, currency: "EUR")
        #expect(throws: CatalogError.self) { try before.setting(product) }
        product.price = Money(milliunits: 2490, currency: "USD")
        let after = try before.setting(product)
        let differences = Self.lines(after).difference(from: Self.lines(before)).insertions
        #expect(differences.count == 1)
        #expect(Self.lines(after).contains { $0.contains(#""displayPrice" : "2.49""#) })
        #expect(after.product(Self.small)?.price.milliunits == 2490 && before.product(Self.small)?.price.milliunits == 1990)
    }

    @Test func `a changed offer keeps its internal ID and unknown keys`() throws {
        let text = try StorekitSample(version: "4.0").text.replacing("\"isEligible\"", with: "\"isEdible\" : true,\n\"isEligible\"")
        let before = try Catalog(storekit: Data(text.utf8))
        var product = try #require(before.item(Self.small))
        let index = try #require(product.subscription?.offers.firstIndex { $0.kind == .winBack })
        product.subscription?.offers[index].periodCount = 5
        product.subscription?.offers[index].isEligible = false
        let after = try before.setting(product)
        #expect(after.item(Self.small) == product)
        let written = String(decoding: after.storekit, as: UTF8.self)
        #expect(written.contains("isEdible") && written.contains("3D000005") && written.contains(#""numberOfPeriods" : 5"#))
    }

    @Test func `new features raise the file's version where necessary`() throws {
        let before = try StorekitSample.catalog("1.0")
        var product = try #require(before.item(Self.small))
        let month = try #require(BillingPeriod(1, .month))
        product.subscription?.offers.append(
            SubscriptionOffer(
                kind: .winBack, id: "w", mode: .freeTrial, period: month, price: Money(milliunits: 0, currency: "USD"), isEligible: true))
        let four = try before.setting(product)
        #expect(String(decoding: four.storekit, as: UTF8.self).hasSuffix("\"major\" : 4,\n    \"minor\" : 0\n  }\n}"))
        product.subscription?.billingPlans = [CatalogBillingPlan(type: .monthly, price: Money(milliunits: 100, currency: "USD"))]
        let five = try four.setting(product)
        #expect(String(decoding: five.storekit, as: UTF8.self).hasSuffix("\"major\" : 5,\n    \"minor\" : 0\n  }\n}"))
        #expect(five.findings.isEmpty, "\(five.findings)")
        #expect(five.item(Self.small) == product)
    }

    @Test func `a product moves when its type or its group changes`() throws {
        var catalog = try StorekitSample.catalog("4.0")
        var product = try #require(catalog.item(Self.small))
        product.subscription?.group = "3B0000FF"
        catalog = try catalog.setting(product)
        #expect(catalog.group("3B000001")?.products == [] && catalog.group("3B0000FF")?.products == [Self.small])
        #expect(catalog.item(Self.small) == product)
        var apples = try #require(catalog.item(Self.apples))
        apples.type = .nonRenewing
        catalog = try catalog.setting(apples)
        #expect(catalog.item(Self.apples) == apples)
        #expect(catalog.items.count == 4)
        product.type = .consumable
        #expect(throws: CatalogError.self) { try catalog.setting(product) }
        product.subscription = nil
        catalog = try catalog.setting(product)
        #expect(catalog.product(Self.small)?.type == .consumable)
        #expect(!catalog.findings.contains { $0.message.contains("not known") })
    }

    @Test func `removing a product keeps a product whose ID looks the same`() throws {
        // Swift's `String` treats the Kelvin sign and the letter K as equal.
        let text = #"{"products":[{"productID":"K","type":"Consumable"},{"productID":"\u212A","type":"NonConsumable"}]}"#
        let catalog = try Catalog(storekit: Data(text.utf8))
        let left = try catalog.removing("\u{212A}")
        #expect(left.items.map(\.type) == [.consumable])
        #expect(try left.removing("\u{212A}").items.count == 1)
        #expect(try left.removing("K").items.isEmpty)
    }

    @Test func `an edited free subscription stays free and in its group`() throws {
        let before = try TestCatalog.make()
        var news = try #require(before.item(.news))
        #expect(news.subscription?.group == "31A2B3C4")
        news.localizations = [CatalogLocalization(locale: "en_US", name: "News")]
        let after = try before.setting(news)
        #expect(after.product(.news)?.title == "News" && after.product(.news)?.type == .freeSubscription)
        #expect(after.product(.news)?.subscription == nil && after.group("31A2B3C4")?.products == [.news])
    }

    @Test func `changed settings leave the products unchanged`() throws {
        let before = try StorekitSample.catalog("3.0")
        var settings = before.settings
        settings.timeRate = 1004
        settings.errors[2].isEnabled = true
        settings.errors[2].current = CatalogSimulatedError.Choice(type: "verification", index: 0)
        let after = try before.setting(settings)
        #expect(after.settings == settings && after.items == before.items && after.timeRate == 1004)
        settings.storefront = "XYZ"
        #expect(throws: CatalogError.self) { try after.setting(settings) }
    }

    @Test func `a price for one storefront is written and read`() throws {
        var product = CatalogProduct(id: "p", type: .nonConsumable, price: Money(milliunits: 990, currency: "USD"))
        product.prices = ["JPN": Money(milliunits: 120_000, currency: "JPY")]
        let catalog = try Catalog(storekit: Catalog.empty.setting(product).storekit)
        let japan = try #require(catalog.storefront("JPN"))
        #expect(catalog.product("p", in: japan)?.price.milliunits == 120_000)
        product.prices = [:]
        #expect(try catalog.setting(product).product("p", in: japan)?.price.milliunits == 150_000)
    }
}
