import Foundation
import PurchaseModel
import Testing

@testable import OpenStoreKit
@testable import StoreKit

/// Members of signed payloads since iOS 26.4, and the values that StoreKit's properties have.
@Suite struct StoreKit2PayloadTests {
    /// Members of a payload in JSON, and the values of all properties that the members change.
    struct Row: Sendable, CustomTestStringConvertible {
        let members: String
        let values: [String: String]

        init(_ members: String, _ values: [String: String] = [:]) {
            self.members = members
            self.values = values
        }

        var testDescription: String { members }
    }

    private func payload<Payload: Decodable>(_ base: String, _ members: String) throws -> Payload {
        let json = "{\(base)\(members.isEmpty ? "" : ",")\(members)}"
        return try JSONDecoder().decode(Payload.self, from: Data(json.utf8))
    }

    private func tiers(_ tiers: [Transaction.MultiSeatInfo.PriceTier]) -> String {
        tiers.map { "\($0.quantity) for \($0.price)" }.joined(separator: ", ")
    }

    static let transactions: [Row] = [
        Row(""),
        Row(
            #"""
            "quantity":5,"price":10800,"additionalTransactionReason":"SEAT_ADDITION","multiSeatInfo":{"invitationManagement":"APPLE",\#
            "priceTiers":[{"price":12000,"quantity":3},{"price":9000,"quantity":2}]}
            """#,
            ["quantity": "5", "reason": "SEAT_ADDITION", "invitations": "APPLE", "tiers": "3 for 12, 2 for 9"]),
        Row(
            #""multiSeatInfo":{"invitationManagement":"DEVELOPER","priceTiers":[{"price":12000,"quantity":5}],"revokedSeatQuantity":2}"#,
            ["invitations": "DEVELOPER", "tiers": "5 for 12", "revoked": "2"]),
        Row(
            #"""
            "additionalTransactionReason":"SOMETHING","multiSeatInfo":{"invitationManagement":"NOBODY",\#
            "priceTiers":[{"price":1},{"quantity":2},{"price":-1,"quantity":-7}]}
            """#,
            ["reason": "SOMETHING", "invitations": "NOBODY", "tiers": "-7 for -0.001"]),
        Row(#""multiSeatInfo":{}"#, ["invitations": "", "tiers": ""]),
        Row(
            #"""
            "billingPlanType":"MONTHLY","commitmentInfo":{"billingPeriodNumber":3,"totalBillingPeriods":12,\#
            "commitmentExpiresDate":1814400000000,"commitmentPrice":60000}
            """#,
            ["plan": "MONTHLY", "commitment": "3 of 12 for 60 until 1814400000.0"]),
        Row(#""billingPlanType":"BILLED_UPFRONT""#, ["plan": "BILLED_UPFRONT"]),
        Row(#""billingPlanType":"WEEKLY","commitmentInfo":{"billingPeriodNumber":3,"totalBillingPeriods":12}"#, ["plan": "WEEKLY"]),
        Row(
            #""commitmentInfo":{"billingPeriodNumber":-1,"totalBillingPeriods":12,"commitmentExpiresDate":1,"commitmentPrice":1}"#),
        Row(
            #""commitmentInfo":{"billingPeriodNumber":1,"totalBillingPeriods":12,"commitmentExpiresDate":1,"commitmentPrice":-1}"#),
        Row(
            #"""
            "bundleProductId":"all","bundleSubscriptionGroupIdentifier":"g","bundleTransactionId":"7",\#
            "bundleOriginalTransactionId":"6","previousOriginalTransactionId":"18446744073709551615"
            """#,
            ["bundle": "all, g, 7, 6", "previous": "18446744073709551615"]),
        Row(#""previousOriginalTransactionId":"18446744073709551616""#),
        Row(
            #""inAppOwnershipType":"ASSIGNED","revocationDate":1,"revocationReason":2,"revocationType":"ASSIGNMENT_REVOKE""#,
            ["ownership": "Assigned", "revocation": "ASSIGNMENT_REVOKE: Upgraded to bundle"]),
        Row(
            #""inAppOwnershipType":"LENT","revocationDate":1,"revocationReason":9,"revocationType":"LOST""#,
            ["ownership": "LENT", "revocation": "LOST: Other"]),
        Row(
            #"""
            "advancedCommerceInfo":{"items":[{"SKU":"a","partners":[{"id":"p","name":"P"},{"name":"nobody"},{"id":"q"}],\#
            "seatPriceTiers":[{"price":5000,"maximumSeatQuantity":10},{"price":4000}],"refunds":[{"revokedSeatQuantity":1}]}]}
            """#,
            ["item": "a; p P, q; 5 to 10, 4; 1"]),
        Row(
            #"""
            "advancedCommerceInfo":{"items":[{"SKU":"a","partners":"p","seatPriceTiers":{"price":1},\#
            "refunds":[{"revokedSeatQuantity":"one"}]}]}
            """#,
            ["item": "a; ; ; "]),
    ]

    @Test(arguments: transactions) func `a transaction has the values of its signed payload`(_ row: Row) throws {
        let payload: TransactionPayload = try payload(
            #""transactionId":"42","originalTransactionId":"40","productId":"club.year","purchaseDate":1788220800000,"#
                + #""signedDate":1788220800000,"type":"Auto-Renewable Subscription""#, row.members)
        let transaction = try #require(Transaction(payload, signed: SignedTransaction("x"), origin: Origin(nil)))
        let bundle = [
            transaction.bundleProductID, transaction.bundleSubscriptionGroupID, transaction.bundleTransactionID,
            transaction.bundleOriginalTransactionID,
        ].compactMap { $0 }
        var values: [String: String] = [:]
        if transaction.purchasedQuantity != 1 { values["quantity"] = "\(transaction.purchasedQuantity)" }
        values["reason"] = transaction.additionalTransactionReason?.rawValue
        if let seats = transaction.multiSeatInfo {
            values["invitations"] = seats.invitationManagement.rawValue
            values["tiers"] = tiers(seats.priceTiers)
            values["revoked"] = seats.revokedSeatQuantity.map { "\($0)" }
        }
        values["plan"] = transaction.billingPlanType?.rawValue
        if let commitment = transaction.commitmentInfo {
            let end = commitment.expirationDate.timeIntervalSince1970
            values["commitment"] =
                "\(commitment.billingPeriodNumber) of \(commitment.totalBillingPeriods) for \(commitment.price) until \(end)"
        }
        if !bundle.isEmpty { values["bundle"] = bundle.joined(separator: ", ") }
        values["previous"] = transaction.previousOriginalTransactionID.map { "\($0)" }
        if transaction.ownershipType != .purchased { values["ownership"] = transaction.ownershipType.localizedDescription }
        if let type = transaction.revocationType, let reason = transaction.revocationReason {
            values["revocation"] = "\(type.rawValue): \(reason.localizedDescription)"
        }
        if let item = transaction.advancedCommerceInfo?.items.first { values["item"] = itemText(item) }
        #expect(values == row.values)
    }

    private func itemText(_ item: Transaction.AdvancedCommerceInfo.Item) -> String {
        let partners = item.details.partners.map { partner in
            partner.name.map { "\(partner.id) \($0)" } ?? partner.id
        }
        let tiers = item.details.seatPriceTiers.map { tier in
            tier.maximumSeatQuantity.map { "\(tier.price) to \($0)" } ?? "\(tier.price)"
        }
        let refunds = (item.refunds ?? []).compactMap(\.revokedSeatQuantity).map { "\($0)" }
        let parts: [[String]] = [[item.details.sku], partners, tiers, refunds]
        return parts.map { $0.joined(separator: ", ") }.joined(separator: "; ")
    }

    static let renewals: [Row] = [
        Row(""),
        Row(
            #"""
            "renewalQuantity":7,"renewalPrice":10286,\#
            "multiSeatInfo":{"renewalPriceTiers":[{"price":12000,"quantity":3},{"price":9000,"quantity":4},{"price":1}]}
            """#,
            ["quantity": "7", "tiers": "3 for 12, 4 for 9"]),
        Row(
            #"""
            "renewalBillingPlanType":"MONTHLY","commitmentInfo":{"commitmentAutoRenewProductId":"club.year",\#
            "commitmentAutoRenewStatus":0,"commitmentRenewalBillingPlanType":"BILLED_UPFRONT",\#
            "commitmentRenewalDate":1814400000000,"commitmentRenewalPrice":5000}
            """#,
            ["plan": "MONTHLY", "commitment": "club.year, BILLED_UPFRONT, false, 5, 1814400000.0"]),
        Row(
            #"""
            "renewalBillingPlanType":"WEEKLY","commitmentInfo":{"commitmentAutoRenewProductId":"club.year",\#
            "commitmentRenewalBillingPlanType":"WEEKLY","commitmentRenewalDate":1814400000000,"commitmentRenewalPrice":5000}
            """#,
            ["plan": "WEEKLY"]),
        Row(
            #""bundleProductId":"all","bundleSubscriptionGroupIdentifier":"g","bundleOriginalTransactionId":"6","isPendingUnbundle":true"#,
            ["bundle": "all, g, 6", "unbundles": "true"]),
        Row(#""expirationIntent":6,"isPendingUnbundle":false"#, ["expiration": "Unbundled"]),
        Row(#""expirationIntent":17"#, ["expiration": "Unknown"]),
        Row(
            #"""
            "advancedCommerceInfo":{"period":"P1M","items":[{"SKU":"a","partners":[{"id":"p"}],"seatPriceTiers":[{"price":1000}],\#
            "priceIncreaseInfo":{"status":"SCHEDULED","price":2000,"dependentSKUs":["b"]}}]}
            """#,
            ["item": "p, 1, SCHEDULED, 2, b"]),
    ]

    @Test(arguments: renewals) func `renewal info has the values of its signed payload`(_ row: Row) throws {
        let payload: RenewalInfoPayload = try payload(
            #""originalTransactionId":"40","productId":"club.year","autoRenewStatus":1,"signedDate":1788220800000"#, row.members)
        let info = try #require(Product.SubscriptionInfo.RenewalInfo(payload, signed: SignedRenewalInfo("x"), origin: Origin(nil)))
        let bundle = [info.bundleProductID, info.bundleSubscriptionGroupID, info.bundleOriginalTransactionID].compactMap { $0 }
        var values: [String: String] = [:]
        values["quantity"] = info.renewalQuantity.map { "\($0)" }
        if let seats = info.multiSeatInfo { values["tiers"] = tiers(seats.renewalPriceTiers) }
        values["plan"] = info.renewalBillingPlanType?.rawValue
        if let commitment = info.commitmentInfo { values["commitment"] = commitmentText(commitment) }
        if !bundle.isEmpty { values["bundle"] = bundle.joined(separator: ", ") }
        if info.willUnbundle { values["unbundles"] = "true" }
        values["expiration"] = info.expirationReason?.localizedDescription
        if let item = info.advancedCommerceInfo?.items.first { values["item"] = renewalItemText(item) }
        #expect(values == row.values)
    }

    private func commitmentText(_ commitment: Product.SubscriptionInfo.RenewalInfo.CommitmentInfo) -> String {
        let parts: [String] = [
            commitment.autoRenewPreference, commitment.renewalBillingPlanType.rawValue, "\(commitment.willAutoRenew)",
            "\(commitment.renewalPrice)", "\(commitment.renewalDate.timeIntervalSince1970)",
        ]
        return parts.joined(separator: ", ")
    }

    private func renewalItemText(_ item: Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Item) -> String {
        var parts: [String] = item.details.partners.map(\.id)
        parts += item.details.seatPriceTiers.map { "\($0.price)" }
        if let increase = item.priceIncreaseInfo {
            parts += [increase.status.rawValue, "\(increase.price)"] + increase.dependentSKUs
        }
        return parts.joined(separator: ", ")
    }

    private static let stores: [(String, String, AppTransaction.StoreType, Date?)] = [
        ("", "CONSUMER", .consumer, nil),
        (#","storeType":"EDUCATION","appRevocationDate":1000"#, "EDUCATION", .education, Date(timeIntervalSince1970: 1)),
        (#","storeType":"MARKET""#, "MARKET", AppTransaction.StoreType(rawValue: "MARKET"), nil),
    ]

    @Test(arguments: stores) func `an app transaction has the store and the revocation of its signed payload`(
        _ members: String, _ text: String, _ type: AppTransaction.StoreType, _ date: Date?
    ) throws {
        let json = #"{"receiptType":"Sandbox","bundleId":"app","receiptCreationDate":1,"originalPlatform":"MANAGED"\#(members)}"#
        let payload = try JSONDecoder().decode(AppTransactionPayload.self, from: Data(json.utf8))
        let app = try #require(AppTransaction(payload, signed: SignedAppTransaction("x"), origin: Origin(nil)))
        #expect(app.storeType == type && app.storeTypeStringRepresentation == text)
        #expect(app.revocationDate == date)
        #expect(app.originalPlatform == .managed)
    }

    @Test(arguments: [false, true])
    func `a subscription has the prices and offers of each billing plan`(_ hasMonthlyPlan: Bool) throws {
        func usd(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, currency: "USD") }
        let week = try #require(BillingPeriod(1, .week))
        func offer(_ kind: OfferType, _ id: String?, _ plan: BillingPlanType?) -> PurchaseModel.SubscriptionOffer {
            PurchaseModel.SubscriptionOffer(kind: kind, id: id, mode: .freeTrial, period: week, price: usd(0), billingPlan: plan)
        }
        let terms = SubscriptionTerms(
            group: "g", level: 1, period: try #require(BillingPeriod(1, .year)),
            offers: [
                offer(.introductory, nil, nil), offer(.promotional, "half", .billedUpfront), offer(.code, "code", nil),
                offer(.introductory, nil, .monthly), offer(.promotional, "month", .monthly), offer(.winBack, "back", .monthly),
            ],
            monthlyPlan: hasMonthlyPlan ? MonthlyBillingPlan(price: usd(4990), charges: 12, commitmentPrice: usd(59_880)) : nil)
        let product = Product(
            StoreProduct(
                id: "club.year", type: .autoRenewable, title: "", summary: "", price: usd(49_990), priceLocale: "en_US",
                subscription: terms),
            origin: Origin(nil))
        let subscription = try #require(product.subscription)
        #expect(subscription.introductoryOffer != nil)
        #expect(subscription.promotionalOffers.map(\.id) == ["half"])
        #expect(subscription.winBackOffers.isEmpty)
        #expect(subscription.bundledSubscriptions.isEmpty && !product.supportsMultiSeatPurchase)

        let upFront = try #require(subscription.pricingTerms.first)
        #expect(upFront.billingPlanType == .upFront)
        #expect(upFront.billingDisplayPrice == "$49.99" && upFront.billingPrice == product.price)
        #expect(upFront.billingPeriod == .yearly)
        #expect(upFront.commitmentInfo.price == product.price && upFront.commitmentInfo.displayPrice == "$49.99")
        #expect(upFront.commitmentInfo.period == .yearly)
        #expect(upFront.subscriptionOffers.map(\.type) == [.introductory, .promotional])
        #expect(upFront[offers: .promotional].map(\.id) == ["half"])

        let others = subscription.pricingTerms.dropFirst()
        guard hasMonthlyPlan else {
            #expect(others.isEmpty)
            return
        }
        #expect(others.count == 1)
        let monthly = try #require(others.first)
        #expect(monthly.billingPlanType == .monthly)
        #expect(monthly.billingDisplayPrice == "$4.99" && monthly.billingPeriod == .monthly)
        #expect(monthly.commitmentInfo.displayPrice == "$59.88" && monthly.commitmentInfo.period == .yearly)
        #expect(monthly.subscriptionOffers.map(\.type) == [.introductory, .promotional, .winBack])
        #expect(monthly[offers: .promotional].map(\.id) == ["month"])
        guard case .singlePrice(let price) = monthly.pricingModel else {
            Issue.record("The pricing model is not a single price.")
            return
        }
        #expect(price.billingInfo.displayPrice == "$4.99" && price.billingInfo.period == .monthly)
        #expect(price.commitmentInfo == monthly.commitmentInfo)
    }
}
