import PurchaseModel

/// What happens to a subscription until a notification about it is due.
struct SubscriptionScenario: Hashable, Sendable {
    /// One thing that happens.
    enum Step: Hashable, Sendable {
        /// The period, the grace or the time for retries ends.
        case due(cardWorks: Bool = true, forSale: Bool = true)
        /// The customer buys the lower or the higher product, maybe with an offer.
        case buy(higher: Bool, withOffer: Bool = false)
        /// The customer switches renewal.
        case autoRenew(Bool)
        /// The customer's card works again.
        case billingIssueResolved
        /// The price rises.
        case priceRises(needsConsent: Bool)
        /// The newest period is refunded.
        case refunded
        /// The refund is undone.
        case refundReversed
        /// The renewal date is put off by a week.
        case extended
    }

    /// Whether it begins with the higher of two products.
    var beginsHigher = false
    /// Whether the store grants grace, where that matters.
    var grantsGrace: Bool?
    var steps: [Step]
    /// Whether the notification has to be told besides, because nothing in this store causes it.
    var isTold = false

    private init(_ steps: [Step], beginsHigher: Bool = false, grantsGrace: Bool? = nil, isTold: Bool = false) {
        self.steps = steps
        self.beginsHigher = beginsHigher
        self.grantsGrace = grantsGrace
        self.isTold = isTold
    }

    /// The story behind a notification; nil for a pair that the App Store does not send.
    init?(_ type: NotificationType, _ subtype: NotificationSubtype?) {
        switch (type, subtype) {
        case (.subscribed, .initialBuy): self.init([])
        case (.subscribed, .resubscribe): self.init([.autoRenew(false), .due(), .buy(higher: false)])
        case (.didRenew, nil): self.init([.due()])
        case (.didRenew, .billingRecovery): self.init([.due(cardWorks: false), .billingIssueResolved])
        case (.didChangeRenewalPreference, .upgrade): self.init([.buy(higher: true)])
        case (.didChangeRenewalPreference, .downgrade): self.init([.buy(higher: false)], beginsHigher: true)
        case (.didChangeRenewalPreference, nil): self.init([.buy(higher: false), .buy(higher: true)], beginsHigher: true)
        case (.didChangeRenewalStatus, .autoRenewDisabled): self.init([.autoRenew(false)])
        case (.didChangeRenewalStatus, .autoRenewEnabled): self.init([.autoRenew(false), .autoRenew(true)])
        case (.offerRedeemed, nil): self.init([.buy(higher: false, withOffer: true)])
        case (.offerRedeemed, .upgrade): self.init([.buy(higher: true, withOffer: true)])
        case (.offerRedeemed, .downgrade): self.init([.buy(higher: false, withOffer: true)], beginsHigher: true)
        case (.didFailToRenew, nil): self.init([.due(cardWorks: false)], grantsGrace: false)
        case (.didFailToRenew, .gracePeriod): self.init([.due(cardWorks: false)], grantsGrace: true)
        case (.gracePeriodExpired, nil): self.init([.due(cardWorks: false), .due(cardWorks: false)], grantsGrace: true)
        case (.expired, .voluntary): self.init([.autoRenew(false), .due()])
        case (.expired, .billingRetry): self.init([.due(cardWorks: false), .due(cardWorks: false)], grantsGrace: false)
        case (.expired, .priceIncrease): self.init([.priceRises(needsConsent: true), .due()])
        case (.expired, .productNotForSale): self.init([.due(forSale: false)])
        case (.expired, nil): self.init([.autoRenew(false), .due()], isTold: true)
        case (.priceIncrease, .pending): self.init([.priceRises(needsConsent: true)])
        case (.priceIncrease, .accepted): self.init([.priceRises(needsConsent: false)])
        case (.refund, nil): self.init([.refunded])
        case (.refundReversed, nil): self.init([.refunded, .refundReversed])
        case (.renewalExtended, nil): self.init([.extended])
        case (.renewalExtension, .failure), (.metadataUpdate, nil), (.migration, nil), (.priceChange, nil): self.init([], isTold: true)
        default: return nil
        }
    }

    /// What a step means to a subscription.
    func event(_ step: Step, _ products: TriggerProducts, _ subscription: Subscription) -> SubscriptionEvent {
        switch step {
        case .due(let cardWorks, let forSale): .due(cardWorks: cardWorks, forSale: forSale)
        case .buy(let higher, let withOffer):
            .purchase(SubscriptionPurchase(products.plan(higher: higher), offer: withOffer ? products.offer(higher: higher) : nil))
        case .autoRenew(let on): .autoRenew(on)
        case .billingIssueResolved: .billingIssueResolved
        case .priceRises(let needsConsent):
            .priceChanged(of: subscription.productID, to: products.raisedPrice(of: subscription.plan), needsConsent: needsConsent)
        case .refunded: .refunded(period: subscription.period.number)
        case .refundReversed: .refundReversed(period: subscription.period.number)
        case .extended: .extended(days: 7)
        }
    }

    /// When it has to begin so that its last step happens by `now`, and as late as possible.
    ///
    /// What does not wait for anything happens a minute after it began.
    func beginning(by now: Timestamp, _ products: TriggerProducts, _ rules: SubscriptionRules) -> Timestamp {
        // Months differ in length: what began now says about how long it takes, and some days more or less say it exactly.
        let length = end(from: now, products, rules).milliseconds - now.milliseconds
        guard length > 0 else { return steps.isEmpty && !isTold ? now : now.adding(seconds: -60) }
        let guess = now.adding(milliseconds: -length)
        let candidates = (-4...4).map { guess.adding(seconds: -86_400 * Int64($0)) }
        return candidates.filter { end(from: $0, products, rules) <= now }.max() ?? guess.adding(days: -5)
    }

    /// When the last thing falls due of a story that begins then.
    private func end(from start: Timestamp, _ products: TriggerProducts, _ rules: SubscriptionRules) -> Timestamp {
        var (subscription, _) = Subscription.begin(
            originalTransactionID: "0", purchase: SubscriptionPurchase(products.plan(higher: beginsHigher)), at: start, rules: rules
        )
        var time = start
        for step in steps {
            if case .due = step { time = subscription.nextDue ?? time }
            _ = subscription.handle(event(step, products, subscription), at: time)
        }
        return time
    }
}
