import PurchaseModel

/// The shortest sequence of events that leads to a notification type.
enum TriggerScenario: Hashable, Sendable {
    /// A subscription with its steps.
    ///
    /// If the last step does not cause the notification, the store adds the notification separately.
    case subscription(SubscriptionScenario)
    /// A purchase of a consumable.
    case purchase
    /// A purchase of a consumable, followed by a refund request that is pending, approved or declined.
    case refundRequest
    /// A refund request is declined.
    case refundDeclined
    /// A family member stops sharing.
    case familySharingEnds
    /// A mass renewal date extension is completed.
    case summary
    /// A token for a purchase outside the App Store.
    case externalPurchase
    /// A parent withdraws consent to the app.
    case consentRescinded
    /// A test notification.
    case test

    /// The scenario for a notification; nil for a combination of type and subtype that the App Store does not send.
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

    /// All combinations of type and subtype that the App Store sends.
    static var allPairs: [(type: NotificationType, subtype: NotificationSubtype?)] {
        NotificationType.allCases.flatMap { type in
            ([nil] + NotificationSubtype.allCases.map(Optional.some)).compactMap { subtype in
                TriggerScenario(type, subtype) == nil ? nil : (type, subtype)
            }
        }
    }

    /// All combinations in text form: the type, followed by a dot and the subtype.
    static var names: [String] {
        allPairs.map { [$0.type.rawValue, $0.subtype?.rawValue].compactMap { $0 }.joined(separator: ".") }
    }
}
