import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionPriceTests {
    private static func raised(asking: Bool) throws -> Subscription {
        var subscription = try Sample.subscription()
        _ = subscription.handle(.priceChanged(of: "silver", to: Sample.money(12_990), needsConsent: asking), at: Sample.start)
        return subscription
    }

    private static func status(_ subscription: Subscription) -> PriceIncreaseStatus? {
        subscription.renewalInfo(environment: .sandbox, signedDate: Sample.start).priceIncrease
    }

    @Test func `who agrees pays the higher price from the next renewal on`() throws {
        var subscription = try Self.raised(asking: true)
        #expect(Self.status(subscription) == .notAnswered)
        #expect(subscription.nextPlan.price == Sample.money(9_990))
        #expect(subscription.handle(.priceConsent(true), at: Sample.start).notices == [.priceIncrease(accepted: true)])
        #expect(Self.status(subscription) == .consented)
        #expect(subscription.renewalInfo(environment: .sandbox, signedDate: Sample.start).renewalPrice == 12_990)
        #expect(subscription.fall().charges.map(\.price.milliunits) == [12_990])
        #expect(Self.status(subscription) == nil)
        #expect(subscription.fall().charges.map(\.price.milliunits) == [12_990])
    }

    @Test func `who declines keeps what is paid, and ends by the customer's wish`() throws {
        var subscription = try Self.raised(asking: true)
        #expect(subscription.handle(.priceConsent(false), at: Sample.start).notices == [.autoRenewChanged(false)])
        #expect(subscription.subscriptionStatus == .active)
        var again = subscription
        #expect(again.handle(.autoRenew(true), at: Sample.start).notices == [.autoRenewChanged(true), .priceIncrease(accepted: false)])
        #expect(subscription.fall().notices == [.expired(.customerCancelled)])
        #expect(subscription.expirationIntent?.rawValue == 1)
    }

    @Test func `who does not answer is not charged`() throws {
        var subscription = try Self.raised(asking: true)
        #expect(subscription.fall().words == "EXPIRED/PRICE_INCREASE")
        #expect(subscription.expirationIntent?.rawValue == 3)
    }

    @Test func `an increase that needs no consent is told, a decrease is not`() throws {
        var subscription = try Self.raised(asking: false)
        #expect(Self.status(subscription) == .consented)
        #expect(subscription.fall().charges.map(\.price.milliunits) == [12_990])
        let lower = subscription.handle(
            .priceChanged(of: "silver", to: Sample.money(990), needsConsent: true), at: Sample.firstEnd)
        #expect(lower.isEmpty)
        #expect(Self.status(subscription) == nil)
        #expect(subscription.paid == 12_990)
        #expect(subscription.fall().charges.map(\.price.milliunits) == [990])
    }

    @Test func `a price that nobody agreed to is not charged on recovery either`() throws {
        var subscription = try SubscriptionStage.grace.sample()
        let now = Sample.secondEnd.adding(days: 1)
        _ = subscription.handle(.priceChanged(of: "silver", to: Sample.money(12_990), needsConsent: true), at: now)
        #expect(subscription.handle(.billingIssueResolved, at: now).charges.map(\.price.milliunits) == [9_990])
        #expect(subscription.fall().notices == [.expired(.priceIncreaseNotConsented)])
    }

    @Test func `the price of another product concerns nobody`() throws {
        var subscription = try Sample.subscription()
        let before = subscription
        #expect(subscription.handle(.priceChanged(of: "gold", to: Sample.money(1), needsConsent: true), at: Sample.start).isEmpty)
        #expect(subscription == before)
    }
}
