extension NotificationType {
    /// The subtypes that a notification of this type can have; empty for a type without subtypes.
    ///
    /// Source: Apple's documentation of `notificationType`.
    public var subtypes: Set<NotificationSubtype> {
        switch self {
        case .subscribed: [.initialBuy, .resubscribe]
        case .didRenew: [.billingRecovery]
        case .didChangeRenewalPreference, .offerRedeemed: [.upgrade, .downgrade]
        case .didChangeRenewalStatus: [.autoRenewEnabled, .autoRenewDisabled]
        case .didFailToRenew: [.gracePeriod]
        case .expired: [.voluntary, .billingRetry, .priceIncrease, .productNotForSale]
        case .priceIncrease: [.pending, .accepted]
        case .renewalExtension: [.summary, .failure]
        case .externalPurchaseToken: [.unreported, .created, .activeTokenReminder]
        case .gracePeriodExpired, .refund, .refundDeclined, .refundReversed, .consumptionRequest, .revoke, .oneTimeCharge,
            .renewalExtended, .rescindConsent, .test, .metadataUpdate, .migration, .priceChange:
            []
        }
    }
}
