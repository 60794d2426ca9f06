import Foundation
import LocalAppStore
import PurchaseModel
import StoreTestSupport
import Testing

/// Tests that read and write files of every version.
@Suite struct StorekitSampleTests {
    private static let year: ProductID = "org.example.orchard.year"
    private static let small: ProductID = "org.example.orchard.small"

    @Test(arguments: StorekitSample.all)
    func `a file from Xcode is written with the same bytes`(_ sample: StorekitSample) throws {
        #expect(try Catalog(storekit: sample.data).storekit == sample.data)
    }

    @Test(arguments: StorekitSample.all)
    func `a file from Xcode has no findings`(_ sample: StorekitSample) throws {
        #expect(Catalog.findings(in: try sample.data) == [])
    }

    @Test(arguments: StorekitSample.all)
    func `unknown keys keep their positions`(_ sample: StorekitSample) throws {
        let text = try sample.text
            .replacing("\"productID\" : ", with: "\"productExtra\" : {\n\n      },\n      \"productID\" : ")
            .replacing("\n  \"version\" : {", with: "\n  \"unheardOf\" : 1e400,\n  \"version\" : {")
        let again = String(decoding: try Catalog(storekit: Data(text.utf8)).storekit, as: UTF8.self)
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } } }
        #expect(lines(again) == lines(text))
    }

    @Test func `the empty catalog is written in version 4`() {
        #expect(Catalog.empty.products.isEmpty)
        #expect(
            String(decoding: Catalog.empty.storekit, as: UTF8.self)
                == "{\n  \"version\" : {\n    \"major\" : 4,\n    \"minor\" : 0\n  }\n}")
    }

    @Test(arguments: [
        (#"{"version":{"major":1,"minor":0},"settings":{"_disableDialogs":true}}"#, "4.0"),
        (#"{"version":{"major":1,"minor":0},"identifier":"1"}"#, "1.1"),
        (#"{"version":{"major":2,"minor":0},"settings":{"_timeRate":4}}"#, "2.0"),
        (#"{"version":{"major":5,"minor":3}}"#, "5.3"),
        (#"{}"#, "4.0"),
    ])
    func `a file keeps its version unless its content needs a higher one`(_ text: String, _ version: String) throws {
        let written = try Catalog(storekit: Data(text.utf8)).storekit
        let json = try #require(try JSONSerialization.jsonObject(with: written) as? [String: Any])
        let object = try #require(json["version"] as? [String: Int])
        #expect("\(object["major"] ?? 0).\(object["minor"] ?? 0)" == version)
    }

    @Test func `offers of all four kinds are read`() throws {
        func offer(_ version: String, _ kind: OfferType) throws -> SubscriptionOffer? {
            let items = try StorekitSample.catalog(version).items
            return items.flatMap { $0.subscription?.offers ?? [] }.first { $0.kind == kind }
        }
        let month = try #require(BillingPeriod(1, .month))
        #expect(
            try offer("3.0", .introductory)
                == SubscriptionOffer(
                    kind: .introductory, mode: .payAsYouGo, period: month, periodCount: 3, price: Money(milliunits: 490, currency: "USD")
                )
        )
        let promotional = try offer("1.0", .promotional)
        #expect(promotional?.id == "harvest" && promotional?.price.milliunits == 990 && promotional?.mode == .payAsYouGo)
        let code = try offer("1.2", .code)
        #expect(code?.id == "Spring fair" && code?.eligibility == [.new, .existing] && code?.isStackable == true)
        #expect(code?.mode == .payUpFront && code?.price == Money(milliunits: 2990, currency: "EUR"))
        let winBack = try offer("4.0", .winBack)
        #expect(winBack?.id == "come.back" && winBack?.isEligible == true && winBack?.periodCount == 2)
    }

    @Test func `a yearly subscription with monthly billing is read with its introductory offers`() throws {
        let catalog = try StorekitSample.catalog("5.0")
        let plans = catalog.billingPlans(of: Self.year, in: .unitedStates)
        #expect(plans.map(\.type) == [.billedUpfront, .monthly])
        #expect(plans.last?.commitmentPrice?.milliunits == 23_880)
        let offers = catalog.offers(of: Self.year, in: .unitedStates)
        #expect(offers.map(\.billingPlan) == [.billedUpfront, .monthly])
        #expect(offers.map(\.period.iso8601) == ["P2W", "P1W"])
    }

    @Test func `settings are read, including those of a file that is synced with App Store Connect`() throws {
        let settings = try StorekitSample.catalog("4.0").settings
        #expect(settings.appAppleID == 6_400_000_017 && settings.teamID == "ORCHARD123")
        #expect(settings.lastSynchronized?.description.hasPrefix("2024-07-26T") == true)
        #expect(settings.timeRate == 13 && settings.compatibilityTimeRates == ["3": 6])
        #expect(settings.billingGracePeriodIsEnabled == true && settings.disablesDialogs && !settings.failsRenewals)
        #expect(settings.errors.count == 9 && settings.errors.map(\.name) == CatalogSimulatedError.names)
        #expect(settings.errors[0].current?.index == 2 && settings.errors[0].active == nil)
        #expect(settings.errors[1].active == CatalogSimulatedError.Choice(type: "generic", index: 2))
        let old = try StorekitSample.catalog("1.1").settings
        #expect(old.askToBuyEnabled && !old.interruptedPurchasesEnabled && old.timeRate == 4 && old.billingGracePeriodIsEnabled == nil)
    }

    @Test func `the offer key, the policies and the group name are read`() throws {
        let catalog = try StorekitSample.catalog("4.0")
        let key = try #require(catalog.offerKey)
        #expect(key.id == "0B5E55ED" && !"\(key)".contains(key.privateKey))
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!dumped.contains(key.privateKey))
        #expect(catalog.policies.policies.first?.url == "https://orchard.example/policy")
        #expect(catalog.product(Self.small)?.subscription?.groupName == "Basket")
        #expect(catalog.groups.map(\.products) == [[Self.small]])
    }
}
