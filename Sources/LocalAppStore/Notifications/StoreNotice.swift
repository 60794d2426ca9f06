import PurchaseModel

/// What a notification says happened.
struct StoreNotice: Hashable, Sendable {
    var type: NotificationType
    var subtype: NotificationSubtype?

    init(_ type: NotificationType, _ subtype: NotificationSubtype? = nil) {
        self.type = type
        self.subtype = subtype
    }

    /// What the model says of a subscription.
    init(_ notice: SubscriptionNotice) {
        self.init(notice.type, notice.subtype)
    }

    /// A subscription was bought for the first time.
    static let subscribed = StoreNotice(.subscribed, .initialBuy)
    /// A consumable, non-consumable or non-renewing subscription was bought.
    static let oneTimeCharge = StoreNotice(.oneTimeCharge)
    /// The money was given back.
    static let refunded = StoreNotice(.refund)
    /// A refund was taken back.
    static let refundReversed = StoreNotice(.refundReversed)
    /// A relative's purchase is shared no more.
    static let revoked = StoreNotice(.revoke)
}
