import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionPriceTests {
    private static func raisedPrice(consentRequired: Bool) throws -> Subscription {
        var subscription = try Sample.subscription()
        _ = subscription.handle(.priceChanged(of: "silver", to: Sample.money(12_990), requiresConsent: consentRequired), at: Sample.start)
        return subscription
    }

    private static func status(_ subscription: Subscription) -> PriceIncreaseStatus? {
        subscription.renewalInfo(environment: .sandbox, signedDate: Sample.start).priceIncrease
    }

    @Test func `after consent, the next renewal charges the increased price`() throws {
        var subscription = try Self.raisedPrice(consentRequired: true)
        #expect(Self.status(subscription) == .notAnswered)
        #expect(subscription.nextPlan.price == Sample.money(9_990))
        #expect(subscription.handle(.priceConsent(true), at: Sample.start).notifications == [.priceIncrease(accepted: true)])
        #expect(Self.status(subscription) == .consented)
        #expect(subscription.renewalInfo(environment: .sandbox, signedDate: Sample.start).renewalPrice == 12_990)
        #expect(subscription.processDue().charges.map(\.price.milliunits) == [12_990])
        #expect(Self.status(subscription) == nil)
        #expect(subscription.processDue().charges.map(\.price.milliunits) == [12_990])
    }

    @Test func `after a declined price increase, the subscription expires as canceled by the customer`() throws {
        var subscription = try Self.raisedPrice(consentRequired: true)
        #expect(subscription.handle(.priceConsent(false), at: Sample.start).notifications == [.autoRenewChanged(false)])
        #expect(subscription.status == .active)
        var again = subscription
        #expect(
            again.handle(.autoRenew(true), at: Sample.start).notifications == [.autoRenewChanged(true), .priceIncrease(accepted: false)])
        #expect(subscription.processDue().notifications == [.expired(.customerCancelled)])
        #expect(subscription.expirationIntent?.rawValue == 1)
    }

    @Test func `an unanswered price increase expires the subscription without a charge`() throws {
        var subscription = try Self.raisedPrice(consentRequired: true)
        #expect(subscription.processDue().summary == "EXPIRED/PRICE_INCREASE")
        #expect(subscription.expirationIntent?.rawValue == 3)
    }

    @Test func `a price increase without consent counts as consented, and a price decrease sends no notification`() throws {
        var subscription = try Self.raisedPrice(consentRequired: false)
        #expect(Self.status(subscription) == .consented)
        #expect(subscription.processDue().charges.map(\.price.milliunits) == [12_990])
        let lower = subscription.handle(
            .priceChanged(of: "silver", to: Sample.money(990), requiresConsent: true), at: Sample.firstEnd)
        #expect(lower.isEmpty)
        #expect(Self.status(subscription) == nil)
        #expect(subscription.periodPrice == 12_990)
        #expect(subscription.processDue().charges.map(\.price.milliunits) == [990])
    }

    @Test func `recovery charges the old price while consent is pending`() throws {
        var subscription = try SubscriptionStage.grace.sample()
        let now = Sample.secondEnd.adding(days: 1)
        _ = subscription.handle(.priceChanged(of: "silver", to: Sample.money(12_990), requiresConsent: true), at: now)
        #expect(subscription.handle(.billingIssueResolved, at: now).charges.map(\.price.milliunits) == [9_990])
        #expect(subscription.processDue().notifications == [.expired(.priceIncreaseNotConsented)])
    }

    @Test func `a price change of another product has no effect`() throws {
        var subscription = try Sample.subscription()
        let before = subscription
        #expect(subscription.handle(.priceChanged(of: "gold", to: Sample.money(1), requiresConsent: true), at: Sample.start).isEmpty)
        #expect(subscription == before)
    }
}
