import Foundation
import LocalAppStore
import PurchaseModel
import Testing

/// Products, groups and settings that are changed while a store runs.
@Suite struct CatalogueEditingTests {
    private static let small: ProductID = "org.example.orchard.small"
    private static let apples: ProductID = "org.example.orchard.apples10"

    private static func lines(_ catalogue: Catalogue) -> [Substring] {
        String(decoding: catalogue.storekit, as: UTF8.self).split(separator: "\n")
    }

    @Test(arguments: StorekitSample.all)
    func `setting what is there already changes no byte`(_ sample: StorekitSample) throws {
        var catalogue = try Catalogue(storekit: sample.data)
        for item in catalogue.items { catalogue = try catalogue.setting(item) }
        for group in catalogue.groups { catalogue = try catalogue.setting(group) }
        catalogue = try catalogue.setting(catalogue.settings)
        #expect(catalogue.storekit == (try sample.data))
    }

    @Test(arguments: StorekitSample.all)
    func `a catalogue can be made again from its parts`(_ sample: StorekitSample) throws {
        let original = try Catalogue(storekit: sample.data)
        var copy = try Catalogue.empty.setting(original.settings)
        for group in original.groups { copy = try copy.setting(group) }
        for item in original.items { copy = try copy.setting(item) }
        #expect(copy.settings == original.settings)
        #expect(Set(copy.items) == Set(original.items))
        #expect(copy.groups == original.groups)
        let again = try Catalogue(storekit: copy.storekit)
        #expect(again.items == copy.items)
        #expect(copy.findings.isEmpty && again.findings.isEmpty, "\(copy.findings)")
    }

    @Test func `a changed price changes one line, and other catalogues not at all`() throws {
        let before = try StorekitSample.catalogue("4.0")
        var product = try #require(before.item(Self.small))
        product.price = Money(milliunits: 2490, currency: "EUR")
        #expect(throws: CatalogueError.self) { try before.setting(product) }
        product.price = Money(milliunits: 2490, currency: "USD")
        let after = try before.setting(product)
        let differences = Self.lines(after).difference(from: Self.lines(before)).insertions
        #expect(differences.count == 1)
        #expect(Self.lines(after).contains { $0.contains(#""displayPrice" : "2.49""#) })
        #expect(after.product(Self.small)?.price.milliunits == 2490 && before.product(Self.small)?.price.milliunits == 1990)
    }

    @Test func `a changed offer keeps its number and unknown keys`() throws {
        let text = try StorekitSample(version: "4.0").text.replacing("\"isEligible\"", with: "\"isEdible\" : true,\n\"isEligible\"")
        let before = try Catalogue(storekit: Data(text.utf8))
        var product = try #require(before.item(Self.small))
        let index = try #require(product.subscription?.offers.firstIndex { $0.kind == .winBack })
        product.subscription?.offers[index].periodCount = 5
        product.subscription?.offers[index].isEligible = false
        let after = try before.setting(product)
        #expect(after.item(Self.small) == product)
        let written = String(decoding: after.storekit, as: UTF8.self)
        #expect(written.contains("isEdible") && written.contains("3D000005") && written.contains(#""numberOfPeriods" : 5"#))
    }

    @Test func `what is added raises the version where it has to`() throws {
        let before = try StorekitSample.catalogue("1.0")
        var product = try #require(before.item(Self.small))
        let month = try #require(BillingPeriod(1, .month))
        product.subscription?.offers.append(
            SubscriptionOffer(
                kind: .winBack, id: "w", mode: .freeTrial, period: month, price: Money(milliunits: 0, currency: "USD"), isEligible: true))
        let four = try before.setting(product)
        #expect(String(decoding: four.storekit, as: UTF8.self).hasSuffix("\"major\" : 4,\n    \"minor\" : 0\n  }\n}"))
        product.subscription?.billingPlans = [CatalogueBillingPlan(type: .monthly, price: Money(milliunits: 100, currency: "USD"))]
        let five = try four.setting(product)
        #expect(String(decoding: five.storekit, as: UTF8.self).hasSuffix("\"major\" : 5,\n    \"minor\" : 0\n  }\n}"))
        #expect(five.findings.isEmpty, "\(five.findings)")
        #expect(five.item(Self.small) == product)
    }

    @Test func `a product moves with its type and its group`() throws {
        var catalogue = try StorekitSample.catalogue("4.0")
        var product = try #require(catalogue.item(Self.small))
        product.subscription?.group = "3B0000FF"
        catalogue = try catalogue.setting(product)
        #expect(catalogue.group("3B000001")?.products == [] && catalogue.group("3B0000FF")?.products == [Self.small])
        #expect(catalogue.item(Self.small) == product)
        var apples = try #require(catalogue.item(Self.apples))
        apples.type = .nonRenewing
        catalogue = try catalogue.setting(apples)
        #expect(catalogue.item(Self.apples) == apples)
        #expect(catalogue.items.count == 4)
        product.type = .consumable
        #expect(throws: CatalogueError.self) { try catalogue.setting(product) }
        product.subscription = nil
        catalogue = try catalogue.setting(product)
        #expect(catalogue.product(Self.small)?.type == .consumable)
        #expect(!catalogue.findings.contains { $0.sentence.contains("not known") })
    }

    @Test func `a product is removed once, and its twin by look stays`() throws {
        // To Swift's strings the sign for kelvin equals a K.
        let text = #"{"products":[{"productID":"K","type":"Consumable"},{"productID":"\u212A","type":"NonConsumable"}]}"#
        let catalogue = try Catalogue(storekit: Data(text.utf8))
        let left = try catalogue.removing("\u{212A}")
        #expect(left.items.map(\.type) == [.consumable])
        #expect(try left.removing("\u{212A}").items.count == 1)
        #expect(try left.removing("K").items.isEmpty)
    }

    @Test func `a free subscription stays one in its group`() throws {
        let before = try TestCatalogue.make()
        var news = try #require(before.item(.news))
        #expect(news.subscription?.group == "31A2B3C4")
        news.localizations = [CatalogueLocalization(locale: "en_US", name: "News")]
        let after = try before.setting(news)
        #expect(after.product(.news)?.title == "News" && after.product(.news)?.type == .freeSubscription)
        #expect(after.product(.news)?.subscription == nil && after.group("31A2B3C4")?.products == [.news])
    }

    @Test func `settings change alone`() throws {
        let before = try StorekitSample.catalogue("3.0")
        var settings = before.settings
        settings.timeRate = 1004
        settings.errors[2].isEnabled = true
        settings.errors[2].current = CatalogueSimulatedError.Choice(type: "verification", index: 0)
        let after = try before.setting(settings)
        #expect(after.settings == settings && after.items == before.items && after.timeRate == 1004)
        settings.storefront = "XYZ"
        #expect(throws: CatalogueError.self) { try after.setting(settings) }
    }

    @Test func `a price set for a country is written and read`() throws {
        var product = CatalogueProduct(id: "p", type: .nonConsumable, price: Money(milliunits: 990, currency: "USD"))
        product.prices = ["JPN": Money(milliunits: 120_000, currency: "JPY")]
        let catalogue = try Catalogue(storekit: Catalogue.empty.setting(product).storekit)
        let japan = try #require(catalogue.storefront("JPN"))
        #expect(catalogue.product("p", in: japan)?.price.milliunits == 120_000)
        product.prices = [:]
        #expect(try catalogue.setting(product).product("p", in: japan)?.price.milliunits == 150_000)
    }
}
