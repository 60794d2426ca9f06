import PurchaseModel

/// What has to happen so that a kind of notification is due: the history behind it, as short as it can be.
enum TriggerScenario: Hashable, Sendable {
    /// A subscription and what happens to it. Where the last step does not cause the notification, it is told besides.
    case subscription(SubscriptionScenario)
    /// A consumable is bought.
    case purchase
    /// A consumable is bought, and its money is asked back, given back, or refused.
    case refundRequest
    /// A request for money is declined.
    case refundDeclined
    /// A relative stops sharing.
    case sharingEnds
    /// A mass extension is over.
    case summary
    /// A token of a purchase outside of the store.
    case externalPurchase
    /// A parent withdraws consent to the app.
    case consentRescinded
    /// A test.
    case test

    /// The story behind a notification; nil for a pair that the App Store does not send.
    init?(_ type: NotificationType, _ subtype: NotificationSubtype?) {
        switch (type, subtype) {
        case (.refund, nil), (.refundReversed, nil), (.subscribed, _), (.didRenew, _), (.didChangeRenewalPreference, _),
            (.didChangeRenewalStatus, _), (.offerRedeemed, _), (.didFailToRenew, _), (.gracePeriodExpired, _), (.expired, _),
            (.priceIncrease, _), (.renewalExtended, nil), (.renewalExtension, .failure), (.metadataUpdate, nil), (.migration, nil),
            (.priceChange, nil):
            guard let story = SubscriptionScenario(type, subtype) else { return nil }
            self = .subscription(story)
        case (.oneTimeCharge, nil): self = .purchase
        case (.consumptionRequest, nil): self = .refundRequest
        case (.refundDeclined, nil): self = .refundDeclined
        case (.revoke, nil): self = .sharingEnds
        case (.renewalExtension, .summary): self = .summary
        case (.externalPurchaseToken, .unreported), (.externalPurchaseToken, .created), (.externalPurchaseToken, .activeTokenReminder):
            self = .externalPurchase
        case (.rescindConsent, nil): self = .consentRescinded
        case (.test, nil): self = .test
        default: return nil
        }
    }

    /// Every pair that the App Store sends.
    static var allPairs: [(type: NotificationType, subtype: NotificationSubtype?)] {
        NotificationType.allCases.flatMap { type in
            ([nil] + NotificationSubtype.allCases.map(Optional.some)).compactMap { subtype in
                TriggerScenario(type, subtype) == nil ? nil : (type, subtype)
            }
        }
    }

    /// Every pair as people write it: the type, and after a dot the subtype.
    static var names: [String] {
        allPairs.map { [$0.type.rawValue, $0.subtype?.rawValue].compactMap { $0 }.joined(separator: ".") }
    }
}
