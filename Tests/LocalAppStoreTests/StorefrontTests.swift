import Foundation
import LocalAppStore
import PurchaseModel
import Testing

/// Tests of storefronts, currencies, and localized prices and titles.
@Suite struct StorefrontTests {
    private static let text = """
        {"version":{"major":4,"minor":0},"products":[{"productID":"a","type":"Consumable","displayPrice":"0.99","referenceName":"r",
        "_tillrollPrices":{"FRA":"0.95"},"localizations":[{"locale":"en_US","displayName":"Color","description":"d"},
        {"locale":"de","displayName":"Farbe"},{"locale":"zh_Hant","displayName":"顏色"},{"locale":"zh_CN","displayName":"颜色"}]}]}
        """

    private static func catalog() throws -> Catalog {
        try Catalog(storekit: Data(text.utf8))
    }

    @Test func `every storefront has a unique ID and a known currency`() {
        let all = Storefront.all
        #expect(all.count == 175)
        #expect(Set(all.map(\.countryCode)).count == all.count && Set(all.map(\.id)).count == all.count)
        let currencies = Set(StoreCurrency.all.map(\.code))
        for storefront in all {
            #expect(currencies.contains(storefront.currency), "\(storefront)")
            #expect(storefront.countryCode.count == 3 && storefront.id.count == 6 && storefront.locale.contains("_"))
        }
        #expect(currencies == Set(all.map(\.currency)))
        #expect(Storefront(countryCode: "USA") == .unitedStates)
        #expect(Storefront(countryCode: "XYZ") == nil)
    }

    @Test(arguments: [
        ("0.99", "USD", "0.99"), ("0.99", "EUR", "0.89"), ("1.99", "EUR", "1.99"), ("9.99", "EUR", "8.99"), ("9.99", "GBP", "7.99"),
        ("0.99", "JPY", "150"), ("9.99", "JPY", "1500"), ("0.99", "KRW", "1400"), ("0.99", "VND", "25000"), ("4.99", "SEK", "50"),
        ("0.29", "EUR", "0.29"), ("0.01", "EUR", "0.09"), ("0.00", "JPY", "0"), ("999999999999", "IDR", "9223372036854775.807"),
        ("2.99", "ISK", "2.99"), ("0.01", "VND", "1000"),
    ])
    func `a price is converted and rounded like the App Store's prices`(_ dollars: String, _ currency: String, _ price: String) throws {
        let money = try #require(Money(decimal: dollars, currency: "USD"))
        let converted = money.converted(to: currency)
        #expect(converted.currency == currency)
        #expect("\(converted.decimal)" == "\(try #require(Decimal(string: price)))")
    }

    @Test(arguments: StoreCurrency.all)
    func `a converted price is positive and a multiple of the currency's minor unit`(_ currency: StoreCurrency) throws {
        for milliunits: Int64 in [1, 10, 990, 1990, 99_990, 999_990, .max] {
            let converted = Money(milliunits: milliunits, currency: "USD").converted(to: currency.code)
            #expect(converted.milliunits > 0)
            if converted.milliunits < .max, currency.code != "USD" {
                #expect(converted.milliunits % currency.milliunitsPerMinorUnit == 0, "\(converted)")
            }
        }
    }

    @Test(arguments: [
        ("USA", "Color"), ("DEU", "Farbe"), ("AUT", "Farbe"), ("FRA", "Color"), ("JPN", "Color"), ("TWN", "顏色"), ("HKG", "顏色"),
        ("CHN", "颜色"), ("GBR", "Color"),
    ])
    func `texts have the storefront's language, or else the file's language`(_ country: String, _ title: String) throws {
        let storefront = try #require(Storefront(countryCode: country))
        let product = try #require(try Self.catalog().product("a", in: storefront))
        #expect(product.title == title && product.priceLocale == storefront.locale && product.price.currency == storefront.currency)
        #expect(try Self.catalog().products(in: storefront) == [product])
    }

    @Test func `a price for a storefront is not converted`() throws {
        let catalog = try Self.catalog()
        let france = try #require(catalog.storefront("FRA"))
        let spain = try #require(catalog.storefront("ESP"))
        #expect(catalog.product("a", in: france)?.price == Money(milliunits: 950, currency: "EUR"))
        #expect(catalog.product("a", in: spain)?.price == Money(milliunits: 890, currency: "EUR"))
    }

    @Test func `an unlisted storefront can be configured`() throws {
        let custom = Storefront(countryCode: "XYZ", id: "999999", currency: "USD", locale: "en_XY")
        let text = Self.text.replacing("\"products\"", with: #""settings":{"_storefront":"XYZ"},"products""#)
        let catalog = try Catalog(storekit: Data(text.utf8), storefronts: [custom])
        #expect(catalog.storefront == custom && catalog.storefront("XYZ") == custom && catalog.storefront("DEU")?.id == "143443")
        #expect(Catalog.findings(in: Data(text.utf8)).contains { $0.path == "settings._storefront" })
        #expect(try Self.catalog().product("a", in: custom)?.title == "Color")
    }

    @Test func `offers and billing plans have prices in the storefront's currency`() throws {
        let catalog = try StorekitSample.catalog("5.0")
        let japan = try #require(Storefront(countryCode: "JPN"))
        #expect(catalog.billingPlans(of: "org.example.orchard.year", in: japan).map(\.price.milliunits) == [3_000_000, 300_000])
        #expect(catalog.plan("org.example.orchard.year", in: japan)?.price == Money(milliunits: 3_000_000, currency: "JPY"))
        let offers = try StorekitSample.catalog("4.0").offers(of: "org.example.orchard.small", in: japan)
        #expect(offers.first { $0.kind == .winBack }?.price == Money(milliunits: 150_000, currency: "JPY"))
    }
}
