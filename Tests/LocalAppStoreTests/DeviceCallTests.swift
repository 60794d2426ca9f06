import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

/// Tests of the store's sheets and messages on a device.
@Suite struct DeviceCallTests {
    @Test func `an offer code is redeemed once, and an unknown code is refused`() async throws {
        try await StoreHarness.run(storekit: OfferCatalog.storekit) { harness in
            let phone = try await harness.signIn()
            let request = RedeemRequest(payment: PaymentID(UUID()), code: "FRIENDS")
            for _ in 0..<2 {
                guard case .purchased(let signed, _) = try await phone.call(DeviceEndpoints.redeem, request) else {
                    Issue.record("the code was not redeemed")
                    return
                }
                let payload = try await harness.verifier.verify(signed).payload
                #expect(payload.offerType == OfferType.code.rawValue && payload.offerIdentifier == "FRIENDS")
            }
            #expect(try await phone.unfinished().transactions.map(\.payment) == [request.payment])
            let unknown = RedeemRequest(payment: PaymentID(UUID()), code: "ENEMIES")
            guard case .refused(11, _) = try await phone.call(DeviceEndpoints.redeem, unknown) else {
                Issue.record("an unknown code was redeemed")
                return
            }
        }
    }

    @Test func `only the purchaser can request a refund, and only once`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let refundRequest = RefundRequest(transactionID: try await phone.buy(.book).transactionId, reason: .unintendedPurchase)
            let stranger = try await harness.signIn("eve@example.com", device: .second)
            await #expect(throws: Refused(status: 404, code: "transaction.unknown")) {
                try await harness.call(DeviceEndpoints.requestRefund, refundRequest, token: stranger.token)
            }
            _ = try await phone.call(DeviceEndpoints.requestRefund, refundRequest)
            await #expect(throws: Refused(status: 409, code: "refund-request.duplicate")) {
                try await phone.call(DeviceEndpoints.requestRefund, refundRequest)
            }
            let known = try await harness.call(ControlEndpoints.refundRequests, Empty()).requests
            #expect(known.map(\.transactionID) == [refundRequest.transactionID] && known.map(\.reason) == ["UNINTENDED_PURCHASE"])
        }
    }

    @Test func `only the subscriber can manage a subscription`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let id = try await phone.buy(.magazine).transactionId
            func manage(_ request: ManageSubscriptionRequest) async throws -> RenewalInfoPayload {
                let status = try await phone.call(DeviceEndpoints.manageSubscription, request)
                return try await harness.verifier.verify(status.signedRenewalInfo).payload
            }
            #expect(try await manage(ManageSubscriptionRequest(transactionID: id, .disableAutoRenew)).autoRenewStatus == 0)
            #expect(try await manage(ManageSubscriptionRequest(transactionID: id, .enableAutoRenew)).autoRenewStatus == 1)
            let change = ManageSubscriptionRequest(transactionID: id, changeTo: .magazineWeekly, payment: PaymentID(UUID()))
            #expect(try await manage(change).autoRenewProductId == ProductID.magazineWeekly)
            try await harness.perform(SubscriptionRequest(.increasePriceWithConsent, price: 3_990), on: id)
            let wrong = ManageSubscriptionRequest(transactionID: id, changeTo: .filter, payment: PaymentID(UUID()))
            await #expect(throws: Refused(status: 409, code: "subscription.not-changed")) { _ = try await manage(wrong) }
            let stranger = try await harness.signIn("eve@example.com", device: .second)
            await #expect(throws: Refused(status: 404, code: "transaction.unknown")) {
                try await harness.call(
                    DeviceEndpoints.manageSubscription, ManageSubscriptionRequest(transactionID: id, .disableAutoRenew),
                    token: stranger.token)
            }
        }
    }

    @Test func `a device receives messages about price consent, billing issues and win-back offers`() async throws {
        try await StoreHarness.run(storekit: OfferCatalog.storekit) { harness in
            let phone = try await harness.signIn()
            func messages() async throws -> [StoreMessage] { try await phone.unfinished().messages ?? [] }
            let id = try await phone.buy("com.example.monkeyshop.club").transactionId
            #expect(try await messages().isEmpty)
            try await harness.perform(SubscriptionRequest(.increasePriceWithConsent, price: 9_990), on: id)
            let asked = try await messages()
            #expect(asked.map(\.reason) == [.priceIncreaseConsent] && asked.map(\.originalTransactionID) == [id])
            #expect(try await messages() == asked)
            _ = try await phone.call(
                DeviceEndpoints.manageSubscription, ManageSubscriptionRequest(transactionID: id, .consentToPriceIncrease))
            #expect(try await messages().isEmpty)
            try await harness.setPaymentMethod(isValid: false)
            try await harness.advance(days: 35)
            #expect(try await messages().map(\.reason) == [.billingIssue])
            try await harness.advance(days: 90)
            #expect(try await messages().map(\.reason) == [.winBackOffer])
        }
    }

    @Test func `an app can simulate Ask to Buy in the sandbox and not in production`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            var request = PurchaseRequest(
                payment: PaymentID(UUID()), productID: .credits, quantity: 1, appAccountToken: nil, simulatesAskToBuy: true)
            #expect(try await phone.call(DeviceEndpoints.purchase, request) == .deferred)
            try await harness.set("ada@example.com") { $0.environment = .production }
            request.payment = PaymentID(UUID())
            guard case .purchased = try await phone.call(DeviceEndpoints.purchase, request) else {
                Issue.record("production simulated Ask to Buy")
                return
            }
        }
    }

    @Test func `after an app update on a device, new signed data has the new version`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn(version: "1.0")
            func version(_ appVersion: String?) async throws -> String? {
                let request = AppTransactionRequest(appVersion: appVersion)
                let reply = try await phone.call(DeviceEndpoints.appTransaction, request)
                return try await harness.verifier.verify(reply.signedAppTransaction).payload.applicationVersion
            }
            #expect(try await version(nil) == "1.0")
            _ = try await phone.call(DeviceEndpoints.unfinished, UnfinishedRequest(appVersion: "2.0"))
            #expect(try await version(nil) == "2.0")
            #expect(try await version("2.1") == "2.1")
            await #expect(throws: Refused.self) { try await version("") }
            #expect(try await version(nil) == "2.1")
        }
    }

    @Test func `only app transactions in production have a version external identifier`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn(version: "1.0")
            func number(_ environment: AppEnvironment, _ version: String) async throws -> Int64? {
                try await harness.set(phone.account) { $0.environment = environment }
                let request = AppTransactionRequest(appVersion: version)
                let signed = try await phone.call(DeviceEndpoints.appTransaction, request).signedAppTransaction
                let verifier = SignedDataVerifier(roots: harness.store.roots, bundleID: .test, environments: [environment])
                return try await verifier.verify(signed).payload.versionExternalIdentifier
            }
            #expect(try await number(.sandbox, "1.0") == nil)
            let first = try #require(try await number(.production, "1.0"))
            #expect(try await number(.production, "2.0") != first)
            #expect(try await number(.production, "1.0") == first)
        }
    }

    @Test func `signed transactions for a device verify only on that device`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            guard case .purchased(let bought, _) = try await phone.purchase(.magazine) else { throw SignedInDevice.NotPurchased() }
            let history = try await phone.call(DeviceEndpoints.history, HistoryRequest())
            let unfinished = try await phone.unfinished().transactions.map(\.signedTransaction)
            let roots = try TrustedRoots.apple(and: harness.store.rootsPEM, in: [.sandbox])
            func verifier(_ device: DeviceID) throws -> SignedDataVerifier {
                SignedDataVerifier(roots: roots, DeviceVerificationCheck(try #require(UUID(uuidString: device.rawValue))))
            }
            for signed in [bought] + history.transactions.map(\.signedTransaction) + history.statuses.map(\.signedTransaction) + unfinished
            {
                _ = try await verifier(phone.device).verify(signed)
                await #expect(throws: VerificationFailure.self) { try await verifier(.second).verify(signed) }
            }
            for status in history.statuses { _ = try await verifier(phone.device).verify(status.signedRenewalInfo) }
        }
    }

    @Test func `hosted content is described with its product and with each transaction`() async throws {
        try await StoreHarness.run { harness in
            let path = "/control/v1/apps/\(BundleID.test)/content/\(ProductID.book)"
            for version in ["one", "1..2", "1.0 "] {
                let refused = try await harness.send(
                    .put, "\(path)?version=\(version.replacing(" ", with: "%20"))", [:], ByteBuffer(string: "a"))
                #expect(refused.status == .badRequest)
            }
            _ = try await harness.send(.put, "\(path)?version=2.1", [:], ByteBuffer(string: "four"))
            let phone = try await harness.signIn()
            let sha256 = "04efaf080f5a3e74e1c29d1ca6a48569382cbbcd324e8d59d2b83ef21c039f00"
            let expected = HostedContent(version: "2.1", length: 4, sha256: sha256)
            let request = ProductsRequest(productIDs: [.book, .filter])
            let products = try await phone.call(DeviceEndpoints.products, request).products
            #expect(products.map(\.content) == [expected, nil])
            guard case .purchased(_, let content) = try await phone.purchase(.book) else { throw SignedInDevice.NotPurchased() }
            #expect(content == expected)
            _ = try await phone.buy(.filter)
            #expect(try await phone.unfinished().transactions.map(\.content) == [expected, nil])
            _ = try await harness.send(.put, path, [:], ByteBuffer(string: "five5"))
            let replaced = try #require(try await phone.unfinished().transactions.first?.content)
            #expect(replaced.version == "1.0" && replaced.length == 5 && replaced.sha256 != sha256)
        }
    }
}

/// A catalog of a subscription with an offer code and a win-back offer.
private enum OfferCatalog {
    static let storekit = """
        {
          "version" : { "major" : 4, "minor" : 0 }, "products" : [], "settings" : {},
          "subscriptionGroups" : [
            {
              "id" : "41A2B3C4", "name" : "Club",
              "subscriptions" : [
                {
                  "productID" : "com.example.monkeyshop.club", "type" : "RecurringSubscription", "displayPrice" : "4.99",
                  "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1, "subscriptionGroupID" : "41A2B3C4",
                  "codeOffers" : [
                    {
                      "internalID" : "1", "referenceName" : "FRIENDS", "paymentMode" : "free", "subscriptionPeriod" : "P1M",
                      "eligibility" : [ "new", "existing", "expired" ]
                    }
                  ],
                  "winbackOffers" : [
                    {
                      "internalID" : "2", "offerID" : "back", "referenceName" : "back", "paymentMode" : "payUpFront",
                      "displayPrice" : "0.99", "subscriptionPeriod" : "P1M", "isEligible" : true
                    }
                  ]
                }
              ]
            }
          ]
        }
        """
}
