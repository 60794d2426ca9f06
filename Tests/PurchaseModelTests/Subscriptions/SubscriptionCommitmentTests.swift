import PurchaseModel
import PurchaseTestSupport
import Testing

/// The state machine of a subscription with monthly charges and a commitment.
@Suite struct SubscriptionCommitmentTests {
    private static func yearly(_ id: ProductID = "silver", level: Int = 2, _ price: Int64 = 5_000) throws -> SubscriptionPlan {
        var plan = try Sample.plan(id, level: level, "P1M", price)
        plan.billingPlan = .monthly
        plan.commitment = SubscriptionCommitment(charges: 12, price: Sample.money(12 * price))
        return plan
    }

    private static func upfront(_ id: ProductID = "silver", level: Int = 2) throws -> SubscriptionPlan {
        var plan = try Sample.plan(id, level: level, "P1Y", 48_000)
        plan.billingPlan = .billedUpfront
        return plan
    }

    private static func info(_ subscription: Subscription) -> RenewalInfoPayload {
        subscription.renewalInfo(environment: .production, signedDate: subscription.period.start)
    }

    @Test func `twelve charges follow each other, and another commitment begins after them`() throws {
        var subscription = try Sample.subscription(Self.yearly())
        let end = Sample.start.adding(days: 365)
        for number in 1...12 {
            let charge = try #require(subscription.period.commitment)
            #expect(charge.number == number && charge.count == 12 && charge.expires == end && charge.price == Sample.money(60_000))
            #expect(subscription.periodPrice == 5_000)
            #expect(subscription.processDue().notifications == [.renewed])
        }
        #expect(subscription.period.start == end)
        #expect(subscription.period.commitment?.number == 1)
        #expect(subscription.period.commitment?.expires == end.adding(days: 365))
    }

    @Test func `after a cancellation, the charges and the access continue until the commitment ends`() throws {
        var subscription = try Sample.subscription(Self.yearly())
        #expect(subscription.handle(.autoRenew(false), at: Sample.start).notifications == [.autoRenewChanged(false)])
        var info = Self.info(subscription)
        #expect(info.autoRenew == .on && info.commitmentInfo?.autoRenewStatus == .off)
        #expect(info.commitmentInfo?.commitmentRenewalDate == Sample.start.adding(days: 365))
        for _ in 2...12 { #expect(subscription.processDue().notifications == [.renewed]) }
        info = Self.info(subscription)
        #expect(info.autoRenew == .off && info.commitmentInfo?.autoRenewStatus == .off)
        #expect(subscription.processDue().notifications == [.expired(.customerCancelled)])
        #expect(Self.info(subscription).commitmentInfo == nil)
    }

    @Test func `a failed charge ends access without a grace period, and is retried for 90 days`() throws {
        var subscription = try Sample.subscription(Self.yearly())
        #expect(subscription.processDue(hasValidPaymentMethod: false).notifications == [.failedToRenew(grace: false)])
        #expect(subscription.state == .billingRetry(until: Sample.firstEnd.adding(days: 90)))
        #expect(subscription.handle(.autoRenew(false), at: Sample.firstEnd.adding(days: 1)).notifications == [.autoRenewChanged(false)])
        #expect(subscription.processDue().notifications == [.expired(.billingError)])
    }

    @Test func `a recovered charge delays the end of the commitment`() throws {
        var subscription = try Sample.subscription(Self.yearly())
        subscription.processDue(hasValidPaymentMethod: false)
        let recovery = Sample.firstEnd.adding(days: 70)
        #expect(subscription.handle(.billingIssueResolved, at: recovery).notifications == [.recovered])
        let charge = try #require(subscription.period.commitment)
        #expect(charge.number == 2 && subscription.period.start == recovery)
        // The eleven charges from the payment on are on its day of the month.
        #expect(charge.expires == BillingPeriod(11, .month)?.end(after: recovery))
    }

    @Test func `a refund of the current charge ends the commitment, and a refund of an earlier one changes nothing`() throws {
        var subscription = try Sample.subscription(Self.yearly())
        subscription.processDue()
        let before = subscription
        #expect(subscription.handle(.refunded(period: 1, percentage: nil), at: subscription.period.start).notifications == [.refunded])
        #expect(subscription.state == .active && subscription.period == before.period)
        _ = subscription.handle(.refunded(period: 2, percentage: nil), at: subscription.period.start)
        #expect(subscription.state == .revoked && subscription.nextRenewalDate == nil)
    }

    @Test func `an upgrade ends the commitment at once, and a downgrade waits for its end`() throws {
        var upgraded = try Sample.subscription(Self.yearly())
        _ = upgraded.handle(.purchase(SubscriptionPurchase(try Self.yearly("gold", level: 1, 9_000))), at: Sample.start.adding(days: 3))
        #expect(upgraded.productID == "gold" && upgraded.period.commitment?.number == 1)
        var downgraded = try Sample.subscription(Self.yearly())
        _ = downgraded.handle(.purchase(SubscriptionPurchase(try Sample.bronze())), at: Sample.start.adding(days: 3))
        var info = Self.info(downgraded)
        #expect(info.autoRenewProductId == "silver" && info.commitmentInfo?.commitmentAutoRenewProductId == "bronze")
        for _ in 2...12 { downgraded.processDue() }
        #expect(downgraded.productID == "silver")
        info = Self.info(downgraded)
        #expect(info.autoRenewProductId == "bronze" && info.commitmentInfo?.commitmentRenewalPrice == 4_990)
        downgraded.processDue()
        #expect(downgraded.productID == "bronze" && downgraded.period.commitment == nil)
    }

    @Test func `a change between billing plans takes effect at the end of the commitment or of the year`() throws {
        var monthly = try Sample.subscription(Self.yearly())
        _ = monthly.handle(.purchase(SubscriptionPurchase(try Self.upfront())), at: Sample.start.adding(days: 3))
        #expect(Self.info(monthly).renewalBillingPlanType == "MONTHLY")
        #expect(Self.info(monthly).commitmentInfo?.commitmentRenewalBillingPlanType == "BILLED_UPFRONT")
        for _ in 2...13 { monthly.processDue() }
        #expect(monthly.period.plan.billingPlan == .billedUpfront && monthly.periodPrice == 48_000)
        var upfront = try Sample.subscription(Self.upfront())
        _ = upfront.handle(.purchase(SubscriptionPurchase(try Self.yearly())), at: Sample.start.adding(days: 3))
        #expect(Self.info(upfront).renewalBillingPlanType == "MONTHLY")
        upfront.processDue()
        #expect(upfront.period.commitment?.number == 1 && upfront.periodPrice == 5_000)
    }

    @Test func `a price increase waits for the end of the commitment`() throws {
        var subscription = try Sample.subscription(Self.yearly())
        _ = subscription.handle(
            .priceChanged(of: "silver", to: Sample.money(6_000), requiresConsent: false), at: Sample.start.adding(days: 3))
        for _ in 2...12 {
            subscription.processDue()
            #expect(subscription.periodPrice == 5_000)
        }
        subscription.processDue()
        #expect(subscription.periodPrice == 6_000)
    }

    @Test func `a price increase outlasts a failed charge, and raises the price of the next commitment`() throws {
        var subscription = try Sample.subscription(Self.yearly())
        _ = subscription.handle(.priceChanged(of: "silver", to: Sample.money(6_000), requiresConsent: false), at: Sample.start)
        subscription.processDue(hasValidPaymentMethod: false)
        _ = subscription.handle(.billingIssueResolved, at: Sample.firstEnd.adding(days: 3))
        for _ in 3...13 { subscription.processDue() }
        #expect(subscription.periodPrice == 6_000 && subscription.period.commitment?.price == Sample.money(72_000))
    }

    @Test func `a new price of the monthly plan leaves the pending upfront plan`() throws {
        var subscription = try Sample.subscription(Self.yearly())
        _ = subscription.handle(.purchase(SubscriptionPurchase(try Self.upfront())), at: Sample.start.adding(days: 3))
        _ = subscription.handle(
            .priceChanged(of: "silver", to: Sample.money(6_000), requiresConsent: false), at: Sample.start.adding(days: 4))
        #expect(subscription.pendingPlan?.price == Sample.money(48_000))
    }

    @Test func `a purchase that pays a failed charge of a canceled commitment enables its renewal`() throws {
        var subscription = try Sample.subscription(Self.yearly())
        _ = subscription.handle(.autoRenew(false), at: Sample.start)
        subscription.processDue(hasValidPaymentMethod: false)
        let actions = subscription.handle(.purchase(SubscriptionPurchase(try Self.yearly())), at: Sample.firstEnd.adding(days: 1))
        #expect(actions.notifications == [.recovered, .autoRenewChanged(true)])
        #expect(Self.info(subscription).commitmentInfo?.autoRenewStatus == .on)
    }

    @Test func `a refund of a charge before its period begins ends the commitment with the running period`() throws {
        var rules = SubscriptionRules()
        rules.chargeAhead = 3_600
        var subscription = try Sample.subscription(Self.yearly(), rules: rules)
        subscription.processDue()
        _ = subscription.handle(.refunded(period: 2, percentage: nil), at: Sample.firstEnd.adding(seconds: -60))
        let info = Self.info(subscription)
        #expect(info.autoRenew == .off && info.commitmentInfo == nil && !subscription.isCommitted)
    }

    @Test func `an accelerated commitment has as many periods as one in real time`() throws {
        let rules = SubscriptionRules(timeRate: .oneRenewalEveryThirtySeconds)
        let subscription = try Sample.subscription(Self.yearly(), rules: rules)
        #expect(subscription.period.commitment?.expires == Sample.start.adding(seconds: 12 * 30))
    }

    @Test func `a renewal that is charged ahead continues a canceled commitment`() throws {
        var rules = SubscriptionRules()
        rules.chargeAhead = 3_600
        var subscription = try Sample.subscription(Self.yearly(), rules: rules)
        _ = subscription.handle(.autoRenew(false), at: Sample.start)
        subscription.processDue()
        #expect(subscription.period.start == Sample.firstEnd && subscription.period.commitment?.number == 2)
    }
}
