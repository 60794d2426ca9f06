import Foundation
import StoreKit
import StoreKitTest
import Testing

/// Purchases of products that the account already owns, and changes between subscriptions of a group.
@Suite struct OwnedProductTests {
    private let session: SKTestSession

    init() throws {
        session = try SessionFile.session(Self.storekit)
    }

    private func buy(_ id: String, _ options: Set<Product.PurchaseOption> = [], finishing: Bool = true) async throws -> Transaction {
        let product = try #require(try await Product.products(for: [id]).first)
        let result = try await product.purchase(options: options)
        guard case .success(let verification) = result else { throw SKTestError(.invalidAction) }
        let transaction = try verification.payloadValue
        if finishing { await transaction.finish() }
        return transaction
    }

    private func entitledProducts() async -> [String] {
        var ids: [String] = []
        for await result in Transaction.currentEntitlements { ids.append(result.unsafePayloadValue.productID) }
        return ids
    }

    @Test(arguments: ["pro", "monthly"], [true, false])
    func `a purchase of an owned product returns its transaction and is charged once`(id: String, isFinished: Bool) async throws {
        let first = try await buy(id, finishing: isFinished)
        let second = try await buy(id)
        #expect(second.id == first.id && second.purchaseDate == first.purchaseDate)
        #expect(session.allTransactions().count == 1)
        for await result in Transaction.unfinished { Issue.record("unfinished: \(result.unsafePayloadValue.id)") }
        #expect(SKPaymentQueue.default().transactions.isEmpty)
    }

    @Test(arguments: [("plus", "monthly"), ("monthly", "yearly")])
    func `a change at the next renewal returns the current transaction`(owned: String, wanted: String) async throws {
        let first = try await buy(owned)
        let second = try await buy(wanted)
        #expect(second.id == first.id && second.productID == owned)
        let status = try #require(try await Product.SubscriptionInfo.status(for: "G1").first)
        #expect(try status.renewalInfo.payloadValue.autoRenewPreference == wanted)
        #expect(await entitledProducts() == [owned])
    }

    @Test func `an upgrade is a new transaction that replaces the entitlement of the old one`() async throws {
        let first = try await buy("monthly")
        let second = try await buy("plus")
        #expect(second.id != first.id && second.originalID == first.id)
        #expect(await entitledProducts() == ["plus"])
    }

    @Test func `a payment queue delivers a change at the next renewal as a purchase`() async throws {
        _ = try await buy("plus")
        let observer = ClientObserver()
        let (bought, continuation) = AsyncStream.makeStream(of: String.self)
        observer.onPurchase = { continuation.yield($0) }
        SKPaymentQueue.default().add(observer)
        let (products, found) = AsyncStream.makeStream(of: SKProduct.self)
        let request = SKProductsRequest(productIdentifiers: ["monthly"])
        let delegate = Delegate { found.yield($0) }
        request.delegate = delegate
        request.start()
        for await product in products {
            SKPaymentQueue.default().add(SKPayment(product: product))
            break
        }
        var purchases = bought.makeAsyncIterator()
        #expect(await purchases.next() == "monthly")
        SKPaymentQueue.default().remove(observer)
    }

    @Test func `a promotional offer is ignored for a consumable`() async throws {
        let signature = Product.SubscriptionOffer.Signature(keyID: "K", nonce: UUID(), timestamp: 1, signature: Data([1]))
        #expect(try await buy("coins", [.promotionalOffer(offerID: "loyal", signature: signature)]).offer == nil)
    }

    @Test func `every purchase of a non-renewing subscription is an entitlement until it is refunded`() async throws {
        let first = try await buy("season")
        let second = try await buy("season")
        #expect(first.id != second.id && first.expirationDate == nil)
        #expect(await entitledProducts() == ["season", "season"])
        try session.refundTransaction(identifier: UInt(first.id))
        #expect(await entitledProducts() == ["season"])
    }

    @Test func `a canceled task receives no products and no statuses`() async throws {
        _ = try await buy("monthly")
        let counts = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return (try await Product.products(for: ["pro"]).count, try await Product.SubscriptionInfo.status(for: "G1").count)
        }.value
        #expect(counts == (0, 0))
    }

    private final class Delegate: NSObject, SKProductsRequestDelegate {
        private let found: (SKProduct) -> Void

        init(_ found: @escaping (SKProduct) -> Void) {
            self.found = found
        }

        func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
            for product in response.products { found(product) }
        }
    }

    private static let storekit = """
        {
          "products" : [
            { "displayPrice" : "0.99", "internalID" : "1", "productID" : "coins", "referenceName" : "Coins", "type" : "Consumable" },
            { "displayPrice" : "4.99", "internalID" : "2", "productID" : "pro", "referenceName" : "Pro", "type" : "NonConsumable" }
          ],
          "nonRenewingSubscriptions" : [
            {
              "displayPrice" : "9.99", "internalID" : "3", "productID" : "season", "referenceName" : "Season",
              "type" : "NonRenewingSubscription"
            }
          ],
          "subscriptionGroups" : [
            {
              "id" : "G1", "name" : "Club",
              "subscriptions" : [
                {
                  "displayPrice" : "25.99", "groupNumber" : 1, "internalID" : "4", "productID" : "plus",
                  "recurringSubscriptionPeriod" : "P1M", "referenceName" : "Plus", "subscriptionGroupID" : "G1",
                  "type" : "RecurringSubscription"
                },
                {
                  "displayPrice" : "15.99", "groupNumber" : 2, "internalID" : "5", "productID" : "monthly",
                  "recurringSubscriptionPeriod" : "P1M", "referenceName" : "Monthly", "subscriptionGroupID" : "G1",
                  "type" : "RecurringSubscription"
                },
                {
                  "displayPrice" : "99.99", "groupNumber" : 2, "internalID" : "6", "productID" : "yearly",
                  "recurringSubscriptionPeriod" : "P1Y", "referenceName" : "Yearly", "subscriptionGroupID" : "G1",
                  "type" : "RecurringSubscription"
                }
              ]
            }
          ],
          "version" : { "major" : 4, "minor" : 0 }
        }
        """
}
