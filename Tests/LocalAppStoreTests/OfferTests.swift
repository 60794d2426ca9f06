import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

struct OfferTests {
    @Test func `a new subscriber gets the introductory offer once and then pays the price`() async throws {
        try await StoreHarness.run(storekit: Self.storekit) { harness in
            let phone = try await harness.signIn()
            let trial = try await phone.buy(.magazine)
            #expect(trial.offerType == 1)
            #expect(trial.offerDiscountType == "FREE_TRIAL")
            #expect(trial.price == 0)
            #expect(trial.expiresDate == trial.purchaseDate.adding(days: 7))
            try await harness.advance(days: 8)
            #expect(try await harness.charges().map(\.amount.milliunits) == [2_990])
            // A resubscription has no second free trial.
            try await harness.perform(SubscriptionRequest(.expire), on: trial.transactionId)
            let again = try await phone.buy(.magazine)
            #expect(again.offerType == nil)
            #expect(again.originalTransactionId == trial.transactionId)
            #expect(try await harness.notificationTypes().last == "SUBSCRIBED.RESUBSCRIBE")
        }
    }

    @Test func `a promotional offer needs a signature of the developer's server, which is valid once`() async throws {
        try await StoreHarness.run(storekit: Self.storekit) { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.magazine)
            try await harness.perform(SubscriptionRequest(.expire), on: first.transactionId)
            let unsigned = OfferChoice(kind: .promotional, id: "back")
            #expect(try await Self.refusal(phone, unsigned) == 13)

            let now = harness.store.clock.now
            let key = try BackendKey(pem: harness.store.apiKey.privateKeyPEM, id: harness.store.apiKey.keyID)
            let offer = PromotionalOffer(
                bundleID: .test, keyID: key.id, productID: .magazine, offerID: "back", token: "", nonce: UUID().uuidString.lowercased(),
                timestamp: now.milliseconds
            )
            let bytes = try #require(Data(base64Encoded: try offer.sign(with: key)))
            let signature = OfferSignature(keyID: key.id, nonce: offer.nonce, timestamp: offer.timestamp, signature: bytes)
            var wrong = signature
            wrong.timestamp = now.milliseconds + 1
            #expect(try await Self.refusal(phone, OfferChoice(kind: .promotional, id: "back", signature: wrong)) == 12)
            #expect(try await Self.refusal(phone, OfferChoice(kind: .promotional, id: "none", signature: signature)) == 11)

            let payment = PaymentID(UUID())
            let choice = OfferChoice(kind: .promotional, id: "back", signature: signature)
            let purchased = try await Self.buy(phone, choice, payment)
            #expect(purchased.offerType == 2)
            #expect(purchased.offerIdentifier == "back")
            #expect(purchased.offerPeriod == "P3M")
            #expect(purchased.price == 990)
            // A repeated payment yields the same transaction; another payment with the same nonce is refused.
            #expect(try await Self.buy(phone, choice, payment).transactionId == purchased.transactionId)
            try await harness.perform(SubscriptionRequest(.expire), on: first.transactionId)
            #expect(try await Self.refusal(phone, choice) == 12)
        }
    }

    @Test func `the signature of a promotional offer covers the app account token or the username`() async throws {
        try await StoreHarness.run(storekit: Self.storekit) { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.magazine)
            let key = try BackendKey(pem: harness.store.apiKey.privateKeyPEM, id: harness.store.apiKey.keyID)
            func buy(_ token: CustomerID?, _ username: String?, signed name: String) async throws -> PurchaseReply {
                try await harness.perform(SubscriptionRequest(.expire), on: first.transactionId)
                let offer = PromotionalOffer(
                    bundleID: .test, keyID: key.id, productID: .magazine, offerID: "back", token: name,
                    nonce: UUID().uuidString.lowercased(), timestamp: harness.store.clock.now.milliseconds)
                let bytes = try #require(Data(base64Encoded: try offer.sign(with: key)))
                let signature = OfferSignature(keyID: key.id, nonce: offer.nonce, timestamp: offer.timestamp, signature: bytes)
                let request = PurchaseRequest(
                    payment: PaymentID(UUID()), productID: .magazine, quantity: 1, appAccountToken: token,
                    offer: OfferChoice(kind: .promotional, id: "back", signature: signature), applicationUsername: username)
                return try await phone.call(DeviceEndpoints.purchase, request)
            }
            let token = CustomerID(UUID())
            for (customer, username, name) in [(nil, "jane", "jane"), (token, nil, token.rawValue)] {
                guard case .refused(12, _) = try await buy(customer, username, signed: "") else { return #expect(Bool(false)) }
                guard case .purchased(let signed, _) = try await buy(customer, username, signed: name) else {
                    return #expect(Bool(false))
                }
                #expect(try await harness.verifier.verify(signed).payload.appAccountToken == customer)
            }
        }
    }

    @Test func `a JWS signature of a promotional offer is accepted, and only for its offer`() async throws {
        try await StoreHarness.run(storekit: Self.storekit) { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.magazine)
            try await harness.perform(SubscriptionRequest(.expire), on: first.transactionId)
            let key = try BackendKey(pem: harness.store.apiKey.privateKeyPEM, id: harness.store.apiKey.keyID)
            func token(_ offer: String) throws -> OfferChoice {
                let token = OfferToken(
                    issuerID: harness.store.apiKey.issuerID, bundleID: .test, issuedAt: harness.store.clock.now, nonce: UUID(),
                    subject: .promotionalOffer(.magazine, offer: offer, transaction: nil))
                return OfferChoice(kind: .promotional, id: "back", signature: OfferSignature(compactJWS: try token.sign(with: key)))
            }
            #expect(try await Self.refusal(phone, try token("other")) == 12)
            #expect(try await Self.buy(phone, try token("back"), PaymentID(UUID())).offerIdentifier == "back")
        }
    }

    @Test func `offer codes and win-back offers are limited to eligible accounts`() async throws {
        try await StoreHarness.run(storekit: Self.storekit) { harness in
            let phone = try await harness.signIn()
            #expect(try await Self.refusal(phone, OfferChoice(kind: .winBack, id: "return")) == 18)
            let code = try await Self.buy(phone, OfferChoice(kind: .code, id: "FRIENDS"), PaymentID(UUID()))
            #expect(code.offerType == 3)
            #expect(code.offerIdentifier == "FRIENDS")
            #expect(try await Self.refusal(phone, OfferChoice(kind: .code, id: "FRIENDS")) == 18)
            try await harness.perform(SubscriptionRequest(.expire), on: code.transactionId)
            let path = ["account": "ada@example.com"]
            let ended = try await harness.call(ControlEndpoints.subscriptions, Empty(), path).subscriptions
            #expect(ended.first?.renewalInfo.eligibleWinBackOfferIds == ["return"])
            let back = try await Self.buy(phone, OfferChoice(kind: .winBack, id: "return"), PaymentID(UUID()))
            #expect(back.offerType == 4)
            #expect(back.offerDiscountType == "PAY_UP_FRONT")
        }
    }

    // MARK: Helpers

    private static func purchase(_ phone: SignedInDevice, _ choice: OfferChoice, _ payment: PaymentID) async throws -> PurchaseReply {
        let request = PurchaseRequest(payment: payment, productID: .magazine, quantity: 1, appAccountToken: nil, offer: choice)
        return try await phone.call(DeviceEndpoints.purchase, request)
    }

    static func buy(_ phone: SignedInDevice, _ choice: OfferChoice, _ payment: PaymentID) async throws -> TransactionPayload {
        guard case .purchased(let signed, _) = try await purchase(phone, choice, payment) else { throw SignedInDevice.NotPurchased() }
        return try await phone.store.verifier.verify(signed).payload
    }

    private static func refusal(_ phone: SignedInDevice, _ choice: OfferChoice) async throws -> Int? {
        guard case .refused(let code, _) = try await purchase(phone, choice, PaymentID(UUID())) else { return nil }
        return code
    }

    /// The test catalog with an offer of each kind for the magazine.
    static let storekit = TestCatalog.storekit.replacing(
        "\"recurringSubscriptionPeriod\" : \"P1M\", \"groupNumber\" : 1, \"subscriptionGroupID\"",
        with: """
            "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1,
            "introductoryOffer" : { "internalID" : "A1", "paymentMode" : "free", "subscriptionPeriod" : "P1W" },
            "adHocOffers" : [ {
              "internalID" : "A2", "offerID" : "back", "referenceName" : "Back", "paymentMode" : "payAsYouGo",
              "subscriptionPeriod" : "P1M", "numberOfPeriods" : 3, "displayPrice" : "0.99"
            } ],
            "codeOffers" : [ {
              "internalID" : "A3", "referenceName" : "FRIENDS", "paymentMode" : "free", "subscriptionPeriod" : "P1M",
              "eligibility" : [ "new" ], "isStackable" : false
            } ],
            "winbackOffers" : [ {
              "internalID" : "A4", "offerID" : "return", "referenceName" : "Return", "paymentMode" : "payUpFront",
              "subscriptionPeriod" : "P3M", "displayPrice" : "1.99"
            } ],
            "subscriptionGroupID"
            """
    )
}
