import PurchaseModel

/// The type and the subtype of an App Store Server Notification.
struct StoreNotice: Hashable, Sendable {
    var type: NotificationType
    var subtype: NotificationSubtype?

    init(_ type: NotificationType, _ subtype: NotificationSubtype? = nil) {
        self.type = type
        self.subtype = subtype
    }

    /// Creates the type and subtype for a notice that the subscription state machine returned.
    init(_ notice: SubscriptionNotice) {
        self.init(notice.type, notice.subtype)
    }

    /// The account purchased a subscription for the first time (`SUBSCRIBED`, `INITIAL_BUY`).
    static let subscribed = StoreNotice(.subscribed, .initialBuy)
    /// The account purchased a consumable, non-consumable or non-renewing subscription (`ONE_TIME_CHARGE`).
    static let oneTimeCharge = StoreNotice(.oneTimeCharge)
    /// The store refunded a transaction (`REFUND`).
    static let refunded = StoreNotice(.refund)
    /// The store reversed a refund (`REFUND_REVERSED`).
    static let refundReversed = StoreNotice(.refundReversed)
    /// An account lost its access through Family Sharing (`REVOKE`).
    static let revoked = StoreNotice(.revoke)
}
