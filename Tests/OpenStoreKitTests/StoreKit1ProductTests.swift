import Foundation
import PurchaseModel
import StoreProtocol
import Testing

@testable import StoreKit

@Suite struct StoreKit1ProductTests {
    private func offer(_ kind: OfferType, _ id: String?, _ mode: OfferDiscountType, _ price: Int64, periods: Int = 1) throws
        -> SubscriptionOffer
    {
        SubscriptionOffer(
            kind: kind, id: id, mode: mode, period: try #require(BillingPeriod(1, .week)), periodCount: periods,
            price: Money(milliunits: price, currency: "EUR"))
    }

    @Test func `a subscription shows its period, group and offers in the product's currency`() throws {
        let terms = SubscriptionTerms(
            group: SubscriptionGroupID("G"), level: 1, period: try #require(BillingPeriod(3, .month)),
            offers: [
                try offer(.introductory, nil, .freeTrial, 0), try offer(.promotional, "loyal", .payAsYouGo, 990, periods: 4),
                try offer(.winBack, "back", .payUpFront, 490), try offer(.code, "CODE", .payUpFront, 290),
            ])
        var described = StoreProduct(
            id: ProductID("pass"), type: .autoRenewable, title: "Pass", summary: "All", price: Money(milliunits: 4_990, currency: "EUR"),
            priceLocale: "de_DE", subscription: terms, isFamilyShareable: true)
        described.content = HostedContent(version: "2.1", length: 7)
        let product = SKProduct(described)
        #expect(product.price == NSDecimalNumber(string: "4.99") && product.isFamilyShareable)
        #expect(product.priceLocale.currency?.identifier == "EUR")
        #expect(product.subscriptionPeriod?.numberOfUnits == 3 && product.subscriptionPeriod?.unit == .month)
        #expect(product.subscriptionGroupIdentifier == "G")
        let introductory = try #require(product.introductoryPrice)
        #expect(introductory.type == .introductory && introductory.paymentMode == .freeTrial && introductory.price == 0)
        #expect(introductory.identifier == nil && introductory.subscriptionPeriod.unit == .week)
        #expect(product.discounts.count == 1)
        let loyal = try #require(product.discounts.first)
        #expect(loyal.type == .subscription && loyal.paymentMode == .payAsYouGo && loyal.identifier == "loyal")
        #expect(loyal.numberOfPeriods == 4 && loyal.price == NSDecimalNumber(string: "0.99"))
        #expect(loyal.priceLocale.currency?.identifier == "EUR")
        #expect(product.isDownloadable && product.downloadContentLengths == [7] && product.downloadContentVersion == "2.1")
    }

    @Test func `a product that is created without a description has empty properties`() {
        let product = SKProduct()
        #expect(product.productIdentifier.isEmpty && product.price == 0 && product.introductoryPrice == nil && product.discounts.isEmpty)
        #expect(product.subscriptionPeriod == nil && product.subscriptionGroupIdentifier == nil && !product.isDownloadable)
        #expect(SKProductDiscount().subscriptionPeriod.numberOfUnits == 0)
    }

    @Test func `a payment discount converts to an offer of the device protocol and back`() throws {
        let discount = SKPaymentDiscount(
            identifier: "loyal", keyIdentifier: "KEY", nonce: UUID(), signature: Data([1, 2, 3]).base64EncodedString(),
            timestamp: NSNumber(value: Int64(1_700_000_000_123)))
        let choice = discount.choice
        #expect(choice.kind == .promotional && choice.id == "loyal" && choice.signature?.timestamp == 1_700_000_000_123)
        #expect(choice.signature?.nonce == discount.nonce.uuidString.lowercased() && choice.signature?.signature == Data([1, 2, 3]))
        #expect(SKPaymentDiscount(choice) == discount)
        #expect(SKPaymentDiscount(OfferChoice(kind: .winBack, id: "back")) == nil)
        let damaged = SKPaymentDiscount(identifier: "a", keyIdentifier: "b", nonce: UUID(), signature: "?", timestamp: 1)
        #expect(damaged.choice.signature?.signature == Data("?".utf8))
        let payment = SKMutablePayment()
        payment.productIdentifier = "pass"
        payment.paymentDiscount = discount
        #expect((payment.copy() as? SKPayment)?.paymentDiscount === discount)
    }
}
