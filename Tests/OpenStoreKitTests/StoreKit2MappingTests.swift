import Foundation
import PurchaseModel
import PurchaseProof
import StoreProtocol
import Testing
import Wire

@testable import OpenStoreKit
@testable import StoreKit

@Suite struct StoreKit2MappingTests {
    @Test(arguments: [
        (Refusal.Reason.malformed, VerificationFault.invalidEncoding), (.tooLarge(limit: 1), .invalidEncoding),
        (.algorithm("none"), .missingRequiredProperties), (.marker, .missingRequiredProperties), (.signature, .invalidSignature),
        (.untrustedRoot, .invalidCertificateChain), (.chain, .invalidCertificateChain), (.validity, .invalidCertificateChain),
        (.revoked, .revokedCertificate), (.foreignBundle("b"), .invalidDeviceVerification), (.foreignDevice, .invalidDeviceVerification),
        (.foreignEnvironment("Production"), .invalidDeviceVerification),
    ])
    func `each refusal reason maps to one of StoreKit's six verification errors`(_ reason: Refusal.Reason, _ fault: VerificationFault) {
        #expect(VerificationFault(.refused(Refusal(reason, at: "x"))) == fault)
    }

    @Test(arguments: VerificationFault.allCases)
    func `each verification fault maps to a verification error with a description`(_ fault: VerificationFault) {
        let error = VerificationResult<Transaction>.VerificationError(fault)
        #expect("\(error)" == "\(fault)")
        #expect("\(VerificationResult<AppTransaction>.VerificationError(fault))" == "\(fault)")
        #expect(error.errorDescription?.isEmpty == false && error.failureReason?.isEmpty == false)
    }

    @Test(arguments: [
        (SKError.Code.paymentInvalid, Product.PurchaseError.invalidQuantity), (.paymentNotAllowed, .purchaseNotAllowed),
        (.storeProductNotAvailable, .productUnavailable), (.invalidOfferIdentifier, .invalidOfferIdentifier),
        (.invalidSignature, .invalidOfferSignature), (.missingOfferParams, .missingOfferParameters),
        (.invalidOfferPrice, .invalidOfferPrice), (.ineligibleForOffer, .ineligibleForOffer),
        (.paymentMethodBindingConfigurationRequired, .paymentMethodBindingConfigurationRequired),
    ])
    func `a refused payment maps to a purchase error`(_ code: SKError.Code, _ error: Product.PurchaseError) {
        guard case .purchase(error) = PurchaseCallFailure(PaymentFailure(domain: SKErrorDomain, code: code.rawValue, message: "why")) else {
            Issue.record("\(code) did not map to a purchase error.")
            return
        }
        #expect(error.errorDescription?.isEmpty == false && error.failureReason?.isEmpty == false)
    }

    @Test func `a canceled payment is not an error`() {
        guard case .cancelled = PurchaseCallFailure(PaymentFailure(.paymentCancelled, "A parent declined the purchase.")) else {
            Issue.record("paymentCancelled mapped to an error.")
            return
        }
    }

    @Test func `the device's failures map to StoreKit 2 errors`() {
        guard case .networkError(let error) = StoreKitError(PaymentFailure(WireClientError.unreachable)) else {
            Issue.record("An unreachable store did not map to networkError.")
            return
        }
        #expect(error.code == .notConnectedToInternet)
        guard case .userCancelled = StoreKitError(PaymentFailure(.paymentCancelled)),
            case .unknown = StoreKitError(PaymentFailure(.unknown, "Something else.")),
            case .notAvailableInStorefront = StoreKitError(PaymentFailure(.storeProductNotAvailable))
        else {
            Issue.record("A failure mapped to a wrong StoreKitError.")
            return
        }
        guard case .systemError(let cause) = StoreKitError(PaymentFailure(domain: "SSServerErrorDomain", code: 5002, message: "Busy."))
        else {
            Issue.record("A store error did not map to systemError.")
            return
        }
        #expect((cause as NSError).domain == "SSServerErrorDomain")
        #expect((cause as NSError).code == 5002)
    }

    @Test func `purchase options combine into purchase parameters`() throws {
        let (token, nonce) = (UUID(), UUID())
        let signature = Product.SubscriptionOffer.Signature(keyID: "KEY", nonce: nonce, timestamp: 1_700_000_000_000, signature: Data([1]))
        let parameters = PurchaseParameters([
            .appAccountToken(token), .quantity(3), .promotionalOffer(offerID: "half", signature: signature),
            .simulatesAskToBuyInSandbox(true), .custom(key: "k", value: "v"), .custom(key: "k", value: 1.5),
            .introductoryOfferEligibility(compactJWS: "a.b.c"),
        ])
        #expect(parameters.appAccountToken == token)
        #expect(parameters.quantity == 3)
        #expect(parameters.simulatesAskToBuy)
        let offer = try #require(parameters.offer)
        #expect(offer.kind == .promotional)
        #expect(offer.id == "half")
        #expect(offer.signature?.keyID == "KEY")
        #expect(offer.signature?.nonce == nonce.uuidString.lowercased())
        #expect(offer.signature?.timestamp == 1_700_000_000_000)

        let signed = PurchaseParameters(Set(Product.PurchaseOption.promotionalOffer("half", compactJWS: "a.b.c")))
        #expect(signed.offer == OfferChoice(kind: .promotional, id: "half", signature: OfferSignature(compactJWS: "a.b.c")))
        let introductory = PurchaseParameters([.introductoryOfferEligibility(compactJWS: "a.b.c")])
        #expect(introductory.offer == OfferChoice(kind: .introductory, id: nil, signature: OfferSignature(compactJWS: "a.b.c")))
        #expect(PurchaseParameters([]).offer == nil)
        #expect(PurchaseParameters([]).quantity == 1)
    }

    private func request(
        _ options: Set<Product.PurchaseOption>, of type: PurchaseModel.ProductType = .autoRenewable
    ) throws -> PaymentRequest {
        let product = StoreProduct(
            id: "p", type: type, title: "", summary: "", price: Money(milliunits: 990, currency: "USD"), priceLocale: "en_US")
        return try PurchaseParameters(options).request(for: product)
    }

    @Test func `a billing plan is a part of the payment request for a subscription`() throws {
        #expect(try request([]).billingPlan == nil)
        #expect(try request([.billingPlanType(.upFront)]).billingPlan == nil)
        #expect(try request([.billingPlanType(.monthly), .multiSeatInvitationSheetSuppressed(true)]).billingPlan == .monthly)
        #expect(try request([.billingPlanType(.monthly)], of: .consumable).billingPlan == nil)
        let unknown = Product.SubscriptionInfo.BillingPlanType(rawValue: "WEEKLY")
        #expect(throws: Product.PurchaseError.productUnavailable) { try request([.billingPlanType(unknown)]) }
    }

    @Test(arguments: [Int.min, 0, 1, 5])
    func `a product without seats is sold without seats`(_ seats: Int) {
        #expect(throws: Product.PurchaseError.multiSeatPurchaseDisabled) { try request([.seats(seats)]) }
        #expect(Product.PurchaseOption.seats(seats).debugDescription == "seats: \(seats)")
    }

    @Test func `options with equal values are equal, and storefront handlers only if identical`() {
        let handler = Product.PurchaseOption.onStorefrontChange { _ in true }
        #expect(Set([handler, handler, .onStorefrontChange { _ in true }]).count == 2)
        #expect(Set<Product.PurchaseOption>([.quantity(2), .quantity(2), .quantity(3)]).count == 2)
        #expect(Product.PurchaseOption.custom(key: "a", value: true) != .custom(key: "a", value: "true"))
    }
}
