extension NotificationType {
    /// The subtypes that a notification of this type can have; empty for a type without subtypes.
    ///
    /// Source: Apple's documentation of `notificationType`. Apple does not state the type of the subtypes `INCREASE_QUANTITY` and
    /// `DECREASE_QUANTITY`; a change of the next renewal is the likely one.
    public var subtypes: Set<NotificationSubtype> {
        switch self {
        case .subscribed: [.initialBuy, .resubscribe]
        case .didRenew: [.billingRecovery]
        case .didChangeRenewalPreference: [.upgrade, .downgrade, .increaseQuantity, .decreaseQuantity]
        case .offerRedeemed: [.upgrade, .downgrade]
        case .refund: [.seats]
        case .didChangeRenewalStatus: [.autoRenewEnabled, .autoRenewDisabled]
        case .didFailToRenew: [.gracePeriod]
        case .expired: [.voluntary, .billingRetry, .priceIncrease, .productNotForSale]
        case .priceIncrease: [.pending, .accepted]
        case .renewalExtension: [.summary, .failure]
        case .externalPurchaseToken: [.unreported, .created, .activeTokenReminder]
        case .gracePeriodExpired, .refundDeclined, .refundReversed, .consumptionRequest, .revoke, .oneTimeCharge,
            .renewalExtended, .rescindConsent, .test, .metadataUpdate, .migration, .priceChange, .unclaimSeats:
            []
        }
    }
}
