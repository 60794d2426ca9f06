import PurchaseModel

/// The shortest sequence of simulated events that leads to a notification type.
enum TriggerScenario: Hashable, Sendable {
    /// The purchase of a subscription and the following events of the subscription.
    ///
    /// If the last event does not cause the notification, the store sends the notification separately.
    case subscription(SubscriptionScenario)
    /// The purchase of a consumable.
    case purchase
    /// The purchase of a consumable, followed by a refund request that is still pending.
    case refundRequest
    /// The purchase of a consumable, followed by a refund request that the store declines.
    case refundDeclined
    /// The purchase of a product by a family member who shares it and then stops sharing.
    case familySharingEnds
    /// The completion of a mass renewal date extension.
    case summary
    /// The creation of a token for a purchase outside the App Store.
    case externalPurchase
    /// The withdrawal of a parent's consent to the use of the app.
    case consentRescinded
    /// The request for a test notification.
    case test

    /// Creates the sequence for a notification type and subtype; nil for a combination that the App Store does not send.
    init?(_ type: NotificationType, _ subtype: NotificationSubtype?) {
        switch (type, subtype) {
        case (.refund, nil), (.refundReversed, nil), (.subscribed, _), (.didRenew, _), (.didChangeRenewalPreference, _),
            (.didChangeRenewalStatus, _), (.offerRedeemed, _), (.didFailToRenew, _), (.gracePeriodExpired, _), (.expired, _),
            (.priceIncrease, _), (.renewalExtended, nil), (.renewalExtension, .failure), (.metadataUpdate, nil), (.migration, nil),
            (.priceChange, nil):
            guard let scenario = SubscriptionScenario(type, subtype) else { return nil }
            self = .subscription(scenario)
        case (.oneTimeCharge, nil): self = .purchase
        case (.consumptionRequest, nil): self = .refundRequest
        case (.refundDeclined, nil): self = .refundDeclined
        case (.revoke, nil): self = .familySharingEnds
        case (.renewalExtension, .summary): self = .summary
        case (.externalPurchaseToken, .unreported), (.externalPurchaseToken, .created), (.externalPurchaseToken, .activeTokenReminder):
            self = .externalPurchase
        case (.rescindConsent, nil): self = .consentRescinded
        case (.test, nil): self = .test
        default: return nil
        }
    }

    /// All combinations of notification type and subtype that the App Store sends.
    static var allPairs: [(type: NotificationType, subtype: NotificationSubtype?)] {
        NotificationType.allCases.flatMap { type in
            ([nil] + NotificationSubtype.allCases.map(Optional.some)).compactMap { subtype in
                TriggerScenario(type, subtype) == nil ? nil : (type, subtype)
            }
        }
    }

    /// All combinations of notification type and subtype as text: the type, followed by a period and the subtype if there is one.
    static var names: [String] {
        allPairs.map { [$0.type.rawValue, $0.subtype?.rawValue].compactMap { $0 }.joined(separator: ".") }
    }
}
