import PurchaseModel

/// What a notification says happened: its type and subtype on the wire.
struct StoreNotice: Hashable, Sendable {
    var type: String
    var subtype: String?

    init(type: String, subtype: String? = nil) {
        self.type = type
        self.subtype = subtype
    }

    /// What the model says of a subscription.
    init(_ notice: SubscriptionNotice) {
        (type, subtype) = notice.wire
    }

    /// Bought for the first time.
    static let subscribed = StoreNotice(.subscribed)
    /// Bought again after it had ended.
    static let resubscribed = StoreNotice(type: "SUBSCRIBED", subtype: "RESUBSCRIBE")
    /// A consumable, non-consumable or non-renewing subscription was bought.
    static let oneTimeCharge = StoreNotice(type: "ONE_TIME_CHARGE")
    /// The money was given back.
    static let refunded = StoreNotice(.refunded)
}
