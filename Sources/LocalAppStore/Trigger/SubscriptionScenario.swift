import PurchaseModel

/// The events of a simulated subscription that lead to a notification type.
struct SubscriptionScenario: Hashable, Sendable {
    /// An event of the simulated subscription.
    enum Step: Hashable, Sendable {
        /// The subscription period, billing grace period or billing retry period ends.
        case due(hasValidPaymentMethod: Bool = true, isProductAvailable: Bool = true)
        /// The account purchases the product with the lower or the higher level of service, with or without an offer.
        case buy(higher: Bool, withOffer: Bool = false)
        /// The account enables or disables auto-renew.
        case autoRenew(Bool)
        /// The account's payment method is valid again, and pays the overdue renewal.
        case billingIssueResolved
        /// The price of the subscription increases, with or without consent required.
        case priceIncrease(requiresConsent: Bool)
        /// The store refunds the newest subscription period.
        case refunded
        /// The store reverses the refund of the newest subscription period.
        case refundReversed
        /// The developer extends the renewal date by a week.
        case extended
    }

    /// Whether the account first purchases the product with the higher level of service.
    var startsAtHigherLevel = false
    /// Whether the subscription has a billing grace period; nil to use the store's setting.
    var billingGracePeriodIsEnabled: Bool?
    var steps: [Step]
    /// Whether the notification is sent after the steps without an event that causes it, because the store has no such event.
    var isPostedDirectly = false

    private init(
        _ steps: [Step], startsAtHigherLevel: Bool = false, billingGracePeriodIsEnabled: Bool? = nil, isPostedDirectly: Bool = false
    ) {
        self.steps = steps
        self.startsAtHigherLevel = startsAtHigherLevel
        self.billingGracePeriodIsEnabled = billingGracePeriodIsEnabled
        self.isPostedDirectly = isPostedDirectly
    }

    /// Creates the scenario for a notification type and subtype; nil if no scenario of a subscription leads to them.
    init?(_ type: NotificationType, _ subtype: NotificationSubtype?) {
        switch (type, subtype) {
        case (.subscribed, .initialBuy): self.init([])
        case (.subscribed, .resubscribe): self.init([.autoRenew(false), .due(), .buy(higher: false)])
        case (.didRenew, nil): self.init([.due()])
        case (.didRenew, .billingRecovery): self.init([.due(hasValidPaymentMethod: false), .billingIssueResolved])
        case (.didChangeRenewalPreference, .upgrade): self.init([.buy(higher: true)])
        case (.didChangeRenewalPreference, .downgrade): self.init([.buy(higher: false)], startsAtHigherLevel: true)
        case (.didChangeRenewalPreference, nil): self.init([.buy(higher: false), .buy(higher: true)], startsAtHigherLevel: true)
        case (.didChangeRenewalStatus, .autoRenewDisabled): self.init([.autoRenew(false)])
        case (.didChangeRenewalStatus, .autoRenewEnabled): self.init([.autoRenew(false), .autoRenew(true)])
        case (.offerRedeemed, nil): self.init([.buy(higher: false, withOffer: true)])
        case (.offerRedeemed, .upgrade): self.init([.buy(higher: true, withOffer: true)])
        case (.offerRedeemed, .downgrade): self.init([.buy(higher: false, withOffer: true)], startsAtHigherLevel: true)
        case (.didFailToRenew, nil): self.init([.due(hasValidPaymentMethod: false)], billingGracePeriodIsEnabled: false)
        case (.didFailToRenew, .gracePeriod): self.init([.due(hasValidPaymentMethod: false)], billingGracePeriodIsEnabled: true)
        case (.gracePeriodExpired, nil):
            self.init([.due(hasValidPaymentMethod: false), .due(hasValidPaymentMethod: false)], billingGracePeriodIsEnabled: true)
        case (.expired, .voluntary): self.init([.autoRenew(false), .due()])
        case (.expired, .billingRetry):
            self.init([.due(hasValidPaymentMethod: false), .due(hasValidPaymentMethod: false)], billingGracePeriodIsEnabled: false)
        case (.expired, .priceIncrease): self.init([.priceIncrease(requiresConsent: true), .due()])
        case (.expired, .productNotForSale): self.init([.due(isProductAvailable: false)])
        case (.expired, nil): self.init([.autoRenew(false), .due()], isPostedDirectly: true)
        case (.priceIncrease, .pending): self.init([.priceIncrease(requiresConsent: true)])
        case (.priceIncrease, .accepted): self.init([.priceIncrease(requiresConsent: false)])
        case (.refund, nil): self.init([.refunded])
        case (.refundReversed, nil): self.init([.refunded, .refundReversed])
        case (.renewalExtended, nil): self.init([.extended])
        case (.renewalExtension, .failure), (.metadataUpdate, nil), (.migration, nil), (.priceChange, nil):
            self.init([], isPostedDirectly: true)
        default: return nil
        }
    }

    /// Returns the event of the subscription state machine for a step.
    func event(_ step: Step, _ products: TriggerProducts, _ subscription: Subscription) -> SubscriptionEvent {
        switch step {
        case .due(let hasValidPaymentMethod, let isProductAvailable):
            .due(hasValidPaymentMethod: hasValidPaymentMethod, isProductAvailable: isProductAvailable)
        case .buy(let higher, let withOffer):
            .purchase(SubscriptionPurchase(products.plan(higher: higher), offer: withOffer ? products.offer(higher: higher) : nil))
        case .autoRenew(let on): .autoRenew(on)
        case .billingIssueResolved: .billingIssueResolved
        case .priceIncrease(let requiresConsent):
            .priceChanged(of: subscription.productID, to: products.raisedPrice(of: subscription.plan), requiresConsent: requiresConsent)
        case .refunded: .refunded(period: subscription.period.number)
        case .refundReversed: .refundReversed(period: subscription.period.number)
        case .extended: .extended(days: 7)
        }
    }

    /// Returns the latest date on which the simulated subscription can begin so that its last step happens at `now` or earlier.
    ///
    /// A scenario with steps, none of which ends a period, begins one minute before `now`.
    func startDate(endingBy now: Timestamp, _ products: TriggerProducts, _ rules: SubscriptionRules) -> Timestamp {
        // Months differ in length. A subscription that begins now gives an estimate of the duration, and trying the days around the
        // estimated beginning gives the exact date.
        let length = end(from: now, products, rules).milliseconds - now.milliseconds
        guard length > 0 else { return steps.isEmpty && !isPostedDirectly ? now : now.adding(seconds: -60) }
        let estimate = now.adding(milliseconds: -length)
        let candidates = (-4...4).map { estimate.adding(seconds: -86_400 * Int64($0)) }
        return candidates.filter { end(from: $0, products, rules) <= now }.max() ?? estimate.adding(days: -5)
    }

    /// Returns the date on which the last step happens if the subscription begins at `start`.
    private func end(from start: Timestamp, _ products: TriggerProducts, _ rules: SubscriptionRules) -> Timestamp {
        var (subscription, _) = Subscription.begin(
            originalTransactionID: "0", purchase: SubscriptionPurchase(products.plan(higher: startsAtHigherLevel)), at: start, rules: rules
        )
        var time = start
        for step in steps {
            if case .due = step { time = subscription.nextRenewalDate ?? time }
            _ = subscription.handle(event(step, products, subscription), at: time)
        }
        return time
    }
}
