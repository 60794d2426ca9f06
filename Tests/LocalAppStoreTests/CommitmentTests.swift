import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

/// Tests of subscriptions with monthly charges and a commitment of a year: event, notification, payload, access and money.
@Suite struct CommitmentTests {
    private static let storekit = """
        {
          "identifier" : "8A1B2C3D",
          "subscriptionGroups" : [
            {
              "id" : "21A2B3C4", "name" : "Club",
              "subscriptions" : [
                {
                  "productID" : "club.year", "type" : "RecurringSubscription", "displayPrice" : "48.00",
                  "recurringSubscriptionPeriod" : "P1Y", "groupNumber" : 2,
                  "billingPlans" : [ { "billingPlanType" : "MONTHLY", "displayPrice" : "5.00", "internalID" : "1", "isEnabled" : true } ],
                  "adHocOffers" : [
                    {
                      "displayPrice" : "1.00", "internalID" : "2", "offerID" : "monthly", "paymentMode" : "payAsYouGo",
                      "subscriptionPeriod" : "P1M", "numberOfPeriods" : 2, "billingPlanType" : "MONTHLY"
                    },
                    {
                      "displayPrice" : "24.00", "internalID" : "3", "offerID" : "upfront", "paymentMode" : "payUpFront",
                      "subscriptionPeriod" : "P1Y"
                    }
                  ]
                },
                {
                  "productID" : "club.gold", "type" : "RecurringSubscription", "displayPrice" : "9.00",
                  "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1
                }
              ]
            }
          ],
          "version" : { "major" : 5, "minor" : 0 }
        }
        """

    private static func buy(
        _ harness: StoreHarness, _ product: ProductID = "club.year", offer: OfferChoice? = nil, _ plan: BillingPlanType? = .monthly
    ) async throws -> PurchaseReply {
        let request = BuyRequest(account: .test, productID: product, offer: offer, billingPlan: plan)
        return try await harness.call(ControlEndpoints.buy, request)
    }

    private static func bought(_ harness: StoreHarness) async throws -> TransactionPayload {
        guard case .purchased(let signed, _) = try await buy(harness) else { throw PurchaseRefusal.productUnavailable }
        return try await harness.verifier.verify(signed).payload
    }

    /// A step in the life of a commitment, and what it causes.
    struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What happens before the last charge; the store advances by 31 days for each charge after the first.
        var charges = 1
        var event: @Sendable (StoreHarness, TransactionPayload) async throws -> Void = { _, _ in }
        /// The newest notification.
        let notification: String
        /// The number of the newest charge of the commitment.
        let number: Int
        /// Whether the transaction of the notification is paid until a later date, and not revoked.
        var isActive = true
        var autoRenew: AutoRenewStatus?
        var commitment: AutoRenewStatus?
        /// The sum of all charges and refunds, in thousandths of the currency unit.
        let money: Int64
    }

    private static func newest(_ harness: StoreHarness) async throws -> (TransactionPayload, RenewalInfoPayload?) {
        let last = try #require(try await harness.notifications().last { $0.transaction != nil })
        return (try #require(last.transaction?.payload), last.renewalInfo?.payload)
    }

    static let steps: [Step] = [
        Step(
            testDescription: "a purchase charges one month", notification: "SUBSCRIBED.INITIAL_BUY", number: 1, autoRenew: .on,
            commitment: .on, money: 5_000),
        Step(
            testDescription: "each month is charged", charges: 3, notification: "DID_RENEW", number: 3, autoRenew: .on, commitment: .on,
            money: 15_000),
        Step(
            testDescription: "a cancellation leaves the charges", charges: 2,
            event: { harness, bought in
                _ = try await harness.perform(SubscriptionRequest(.disableAutoRenew), on: bought.transactionId)
            },
            notification: "DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED", number: 2, autoRenew: .on, commitment: .off, money: 10_000),
        Step(
            testDescription: "a failed charge has no grace period", charges: 1,
            event: { harness, _ in
                try await harness.setPaymentMethod(isValid: false)
                try await harness.advance(days: 31)
            },
            notification: "DID_FAIL_TO_RENEW", number: 1, isActive: false, autoRenew: .on, commitment: .on, money: 5_000),
        Step(
            testDescription: "a recovered charge continues the commitment", charges: 1,
            event: { harness, _ in
                try await harness.setPaymentMethod(isValid: false)
                try await harness.advance(days: 80)
                try await harness.setPaymentMethod(isValid: true)
            },
            notification: "DID_RENEW.BILLING_RECOVERY", number: 2, autoRenew: .on, commitment: .on, money: 10_000),
        Step(
            testDescription: "a charge that fails for 89 days is still retried", charges: 1,
            event: { harness, _ in
                try await harness.setPaymentMethod(isValid: false)
                // The first month has 28 days.
                try await harness.advance(days: 117)
            },
            notification: "DID_FAIL_TO_RENEW", number: 1, isActive: false, autoRenew: .on, commitment: .on, money: 5_000),
        Step(
            testDescription: "a refund of the current charge ends the commitment", charges: 1,
            event: { harness, bought in try await harness.refund(bought.transactionId) },
            notification: "REFUND", number: 1, isActive: false, autoRenew: .off, commitment: nil, money: 0),
        Step(
            testDescription: "a charge that fails for 90 days ends the commitment", charges: 1,
            event: { harness, _ in
                try await harness.setPaymentMethod(isValid: false)
                try await harness.advance(days: 125)
            },
            notification: "EXPIRED.BILLING_RETRY", number: 1, isActive: false, autoRenew: .off, commitment: nil, money: 5_000),
        Step(
            testDescription: "a refund of an earlier charge leaves the commitment", charges: 2,
            event: { harness, bought in try await harness.refund(bought.transactionId) },
            notification: "REFUND", number: 1, isActive: false, autoRenew: .on, commitment: .on, money: 5_000),
        Step(
            testDescription: "an upgrade ends the commitment and refunds the rest of the month", charges: 1,
            event: { harness, _ in _ = try await Self.buy(harness, "club.gold", nil) },
            notification: "DID_CHANGE_RENEWAL_PREF.UPGRADE", number: 0, autoRenew: .on, commitment: nil, money: 9_000),
    ]

    @Test(arguments: steps) func `a commitment is charged, changed and ended as its rules state`(_ step: Step) async throws {
        try await StoreHarness.run(storekit: Self.storekit) { harness in
            let bought = try await Self.bought(harness)
            for _ in 1..<step.charges { try await harness.advance(days: 31) }
            try await step.event(harness, bought)
            #expect(try await harness.notificationTypes().last == step.notification)
            let (transaction, renewal) = try await Self.newest(harness)
            #expect(transaction.commitmentInfo?.billingPeriodNumber ?? 0 == step.number)
            let now = try await harness.call(ControlEndpoints.clock, Empty()).now
            #expect((transaction.revocationDate == nil && (transaction.expiresDate ?? now) > now) == step.isActive)
            #expect(renewal?.autoRenew == step.autoRenew)
            #expect(renewal?.commitmentInfo?.autoRenewStatus == step.commitment)
            #expect(try await harness.charges().map(\.amount.milliunits).reduce(0, +) == step.money)
        }
    }

    @Test func `a year of charges is signed with the fields of the commitment`() async throws {
        try await StoreHarness.run(storekit: Self.storekit) { harness in
            let bought = try await Self.bought(harness)
            let end = try #require(bought.commitmentInfo?.commitmentExpiresDate)
            #expect(bought.billingPlanType == "MONTHLY" && bought.commitmentInfo?.commitmentPrice == 60_000 && bought.price == 5_000)
            _ = try await harness.perform(SubscriptionRequest(.disableAutoRenew), on: bought.transactionId)
            try await harness.advance(days: 366)
            let charges = try await harness.notifications().compactMap { notification in
                notification.notification.payload.notificationType == "DID_RENEW" ? notification.transaction?.payload : nil
            }
            #expect(charges.map { $0.commitmentInfo?.billingPeriodNumber } == Array(2...12))
            #expect(charges.allSatisfy { $0.commitmentInfo?.commitmentExpiresDate == end && $0.commitmentInfo?.totalBillingPeriods == 12 })
            #expect(charges.last?.expiresDate == end)
            #expect(try await harness.notificationTypes().last == "EXPIRED.VOLUNTARY")
            #expect(try await harness.charges().map(\.amount.milliunits).reduce(0, +) == 60_000)
        }
    }

    @Test func `a purchase without a billing plan is billed upfront, and states its plan`() async throws {
        try await StoreHarness.run(storekit: Self.storekit) { harness in
            guard case .purchased(let signed, _) = try await Self.buy(harness, "club.year", nil) else {
                throw PurchaseRefusal.productUnavailable
            }
            let payload = try await harness.verifier.verify(signed).payload
            #expect(payload.billingPlanType == "BILLED_UPFRONT" && payload.commitmentInfo == nil && payload.price == 48_000)
        }
    }

    private static let offers: [(id: String, plan: BillingPlanType?, price: Int64?)] = [
        ("monthly", .monthly, 1_000), ("upfront", .monthly, nil), ("monthly", nil, nil), ("upfront", nil, 24_000),
    ]

    @Test(arguments: offers) func `an offer belongs to one billing plan`(_ id: String, _ plan: BillingPlanType?, _ price: Int64?)
        async throws
    {
        try await StoreHarness.run(storekit: Self.storekit) { harness in
            // A promotional offer is for former subscribers.
            guard case .purchased(let signed, _) = try await Self.buy(harness, "club.gold", nil) else {
                throw PurchaseRefusal.productUnavailable
            }
            let former = try await harness.verifier.verify(signed).payload.transactionId
            _ = try await harness.perform(SubscriptionRequest(.expire), on: former)
            let reply = try await Self.buy(harness, offer: OfferChoice(kind: .promotional, id: id), plan)
            guard case .purchased(let signed, _) = reply else {
                #expect(price == nil && reply == .refused(code: 11, message: "The product does not have this offer."))
                return
            }
            #expect(try await harness.verifier.verify(signed).payload.price == price)
        }
    }

    @Test func `a billing plan that a product lacks is refused`() async throws {
        try await StoreHarness.run(storekit: Self.storekit) { harness in
            let reply = try await Self.buy(harness, "club.gold")
            #expect(reply == .refused(code: 5, message: "The product does not have this billing plan."))
        }
    }
}
