import Foundation
import HTTPTypes
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the offers that the server signs, and that a local App Store accepts.
@Suite struct ServerOfferTests {
    private static let signing = Shop.Change { $0.offerKey = $0.appStoreServerAPI }

    /// A catalog with an introductory and a promotional offer.
    private static let storekit = """
        {
          "products" : [ { "productID" : "com.example.monkeyshop.credits5", "type" : "Consumable", "displayPrice" : "0.99" } ],
          "subscriptionGroups" : [ { "id" : "21A2B3C4", "name" : "Magazine", "subscriptions" : [ {
            "productID" : "com.example.monkeyshop.magazine", "type" : "RecurringSubscription", "displayPrice" : "2.99",
            "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1, "subscriptionGroupID" : "21A2B3C4",
            "introductoryOffer" : { "internalID" : "9", "paymentMode" : "free", "subscriptionPeriod" : "P1W" },
            "adHocOffers" : [ { "internalID" : "10", "offerID" : "back", "displayPrice" : "0.99", "paymentMode" : "payAsYouGo",
                                "numberOfPeriods" : 3, "subscriptionPeriod" : "P1M" } ]
          } ] } ],
          "version" : { "major" : 4, "minor" : 0 }
        }
        """

    private static func buy(_ offer: OfferChoice, in shop: ConnectedShop, token: CustomerID? = Shop.customer) async throws -> PurchaseReply
    {
        let request = PurchaseRequest(
            payment: PaymentID(UUID()), productID: .magazine, quantity: 1, appAccountToken: token, offer: offer)
        return try await shop.device.call(DeviceEndpoints.purchase, request)
    }

    private static func payload(_ reply: PurchaseReply, in shop: ConnectedShop) async throws -> TransactionPayload? {
        guard case .purchased(let signed, _) = reply else { return nil }
        return try await shop.store.payloads([signed]).first
    }

    @Test(arguments: PromotionalOfferRequest.Format.allCases)
    func `the App Store accepts a promotional offer that the server signed`(_ format: PromotionalOfferRequest.Format) async throws {
        try await ConnectedShop.open(storekit: Self.storekit, change: Self.signing) { shop in
            let first = try await shop.buy(.magazine)
            try await shop.store.perform(SubscriptionRequest(.expire), on: first.transactionId)
            let reply = try await shop.app.offers.promotional(
                PromotionalOfferRequest(productID: .magazine, offerID: "back", format: format), for: .id(Shop.customer))
            let signature: OfferSignature
            switch format {
            case .jws: signature = OfferSignature(compactJWS: try #require(reply.compactJWS))
            case .signature:
                let values = try #require(reply.signature)
                #expect(values.token == Shop.customer.rawValue)
                signature = OfferSignature(
                    keyID: values.keyID, nonce: values.nonce.uuidString.lowercased(), timestamp: values.timestamp,
                    signature: values.signature)
            }
            let bought = try await Self.buy(OfferChoice(kind: .promotional, id: "back", signature: signature), in: shop)
            let payload = try #require(try await Self.payload(bought, in: shop))
            #expect(payload.offerIdentifier == "back")
            #expect(payload.price == 990)
        }
    }

    @Test func `a customer is eligible for an introductory offer until one was used in the subscription group`() async throws {
        try await ConnectedShop.open(
            storekit: Self.storekit,
            change: Shop.Change { app in
                Self.signing.body(&app)
                app.products.removeAll { $0.id == .magazine }
                app.products.append(ServerProduct(id: .magazine, subscriptionGroupID: "21A2B3C4"))
            }
        ) { shop in
            let request = IntroductoryOfferRequest(productID: .magazine)
            await #expect(throws: OfferSigningRefusal.noTransaction) {
                try await shop.app.offers.introductory(request, for: .id(Shop.customer))
            }
            try await shop.buy(.credits)
            let eligible = try await shop.app.offers.introductory(request, for: .id(Shop.customer))
            #expect(eligible.isEligible)
            let choice = OfferChoice(
                kind: .introductory, id: nil, signature: OfferSignature(compactJWS: eligible.compactJWS))
            let trial = try #require(try await Self.payload(try await Self.buy(choice, in: shop), in: shop))
            #expect(trial.offerType == 1)
            try await shop.reconcile()
            try await shop.submitUnfinished()
            #expect(try await !shop.app.offers.introductory(request, for: .id(Shop.customer)).isEligible)
            #expect(try await shop.app.offers.list(of: .id(Shop.customer)).usedIntroductoryOffers == ["21A2B3C4"])
            let decided = IntroductoryOfferRequest(productID: .magazine, isEligible: true)
            #expect(try await shop.app.offers.introductory(decided, for: .id(Shop.customer)).isEligible)
        }
    }

    @Test func `the eligibility of a product in an unknown subscription group is the backend's decision`() async throws {
        try await ConnectedShop.open(storekit: Self.storekit, change: Self.signing) { shop in
            try await shop.buy(.credits)
            await #expect(throws: OfferSigningRefusal.unknownGroup(.magazine)) {
                try await shop.app.offers.introductory(IntroductoryOfferRequest(productID: .magazine), for: .id(Shop.customer))
            }
        }
    }

    @Test func `an app signs an offer only with a key that lists the scope, and never decides about eligibility`() async throws {
        try await Shop.open { shop async throws in
            let body = PromotionalOfferRequest(productID: .magazine, offerID: "back")
            #expect(try await shop.call(ServerEndpoints.promotionalOffer, body, by: shop.app).code == "key.scope")
            #expect(try await shop.call(ServerEndpoints.promotionalOffer, body, by: shop.backend).code == "offers.not-configured")
            let keys = try #require(shop.server.apiKeys(of: .test))
            let scoped = try await keys.create(.publishable, scopes: [.signOffers, .readCustomers]).text
            let app = Shop.Sender.headers([.authorization: "Bearer \(scoped)", .customerToken: shop.customerToken])
            #expect(try await shop.call(ServerEndpoints.promotionalOffer, body, by: app).code == "offers.not-configured")
            let decision = IntroductoryOfferRequest(productID: .magazine, isEligible: true)
            #expect(try await shop.call(ServerEndpoints.introductoryOffer, decision, by: app).code == "offers.decision")
            #expect(try await shop.call(ServerEndpoints.offers, Empty(), by: app).status == .ok)
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 201), "a\nb", "a\u{2063}b", "a\u{2063}\u{301}b"])
    func `an invalid offer identifier is refused`(_ offer: String) async throws {
        try await ConnectedShop.open(storekit: Self.storekit, change: Self.signing) { shop in
            await #expect(throws: OfferSigningRefusal.malformed) {
                try await shop.app.offers.promotional(
                    PromotionalOfferRequest(productID: .magazine, offerID: offer), for: .id(Shop.customer))
            }
        }
    }

    @Test(arguments: [PromotionalOfferRequest.Format.signature, .jws])
    func `the separator of the signed fields is refused in every text that an offer is made of`(
        _ format: PromotionalOfferRequest.Format
    ) async throws {
        try await ConnectedShop.open(storekit: Self.storekit, change: Self.signing) { shop in
            let named = PromotionalOfferRequest(
                productID: .magazine, offerID: "comeback", format: format, applicationUsername: "jane\u{2063}x")
            await #expect(throws: OfferSigningRefusal.malformed) {
                try await shop.app.offers.promotional(named, for: .id(Shop.customer))
            }
            let other = PromotionalOfferRequest(productID: "magazine\u{2063}x", offerID: "comeback", format: .signature)
            await #expect(throws: OfferSigningRefusal.malformed) {
                try await shop.app.offers.promotional(other, for: .id(Shop.customer))
            }
        }
    }

    @Test func `win-back offers of the renewal info are listed`() async throws {
        try await Shop.open { shop async throws in
            let subscription = TransactionPayload.sale(.magazine, .autoRenewable, id: "1", expires: shop.clock.now.adding(days: 30))
            var renewal = RenewalInfoPayload.sample(original: "1", date: shop.clock.now)
            renewal.eligibleWinBackOfferIds = ["come-back", "please"]
            #expect(try await shop.notify(.about(subscription, renewal, type: "EXPIRED")).status == .ok)
            let reply: OffersReply = try await shop.call(ServerEndpoints.offers, Empty()).value()
            #expect(reply.winBack.map(\.offerIDs) == [["come-back", "please"]])
            #expect(reply.winBack.map(\.productID) == [.magazine])
        }
    }
}
