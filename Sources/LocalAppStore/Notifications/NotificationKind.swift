import PurchaseModel

/// The type and the subtype of an App Store Server Notification.
struct NotificationKind: Hashable, Sendable {
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
    static let subscribed = NotificationKind(.subscribed, .initialBuy)
    /// The account purchased a consumable, non-consumable or non-renewing subscription (`ONE_TIME_CHARGE`).
    static let oneTimeCharge = NotificationKind(.oneTimeCharge)
    /// The store refunded a transaction (`REFUND`).
    static let refunded = NotificationKind(.refund)
    /// The store declined a refund request (`REFUND_DECLINED`).
    static let refundDeclined = NotificationKind(.refundDeclined)
    /// The store reversed a refund (`REFUND_REVERSED`).
    static let refundReversed = NotificationKind(.refundReversed)
    /// The store received a refund request (`CONSUMPTION_REQUEST`).
    static let consumptionRequested = NotificationKind(.consumptionRequest)
    /// An account lost its access through Family Sharing (`REVOKE`).
    static let revoked = NotificationKind(.revoke)
    /// The store did not extend a renewal date of a mass renewal date extension (`RENEWAL_EXTENSION`, `FAILURE`).
    static let extensionFailed = NotificationKind(.renewalExtension, .failure)
}
