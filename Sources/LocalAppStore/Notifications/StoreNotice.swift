import PurchaseModel

/// The type and the subtype of a notification.
struct StoreNotice: Hashable, Sendable {
    var type: NotificationType
    var subtype: NotificationSubtype?

    init(_ type: NotificationType, _ subtype: NotificationSubtype? = nil) {
        self.type = type
        self.subtype = subtype
    }

    /// Converts a notice of the subscription model.
    init(_ notice: SubscriptionNotice) {
        self.init(notice.type, notice.subtype)
    }

    /// A subscription was bought for the first time.
    static let subscribed = StoreNotice(.subscribed, .initialBuy)
    /// A consumable, non-consumable or non-renewing subscription was bought.
    static let oneTimeCharge = StoreNotice(.oneTimeCharge)
    /// A transaction was refunded.
    static let refunded = StoreNotice(.refund)
    /// A refund was reversed.
    static let refundReversed = StoreNotice(.refundReversed)
    /// A Family Sharing entitlement was revoked.
    static let revoked = StoreNotice(.revoke)
}
