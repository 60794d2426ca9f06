/// The cause of a transaction.
public enum TransactionReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer made a purchase.
    case purchase = "PURCHASE"
    /// The store renewed a subscription.
    case renewal = "RENEWAL"
}

/// The relation of a customer to a purchase.
public enum Ownership: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer made the purchase.
    case purchased = "PURCHASED"
    /// The customer has access through Family Sharing.
    case familyShared = "FAMILY_SHARED"
    /// The customer has a seat of a group purchase, or of an organization.
    case assigned = "ASSIGNED"
}

/// The reason why several transactions represent one period of a subscription.
public enum AdditionalTransactionReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer added seats during the period.
    case seatAddition = "SEAT_ADDITION"
}

/// Who invites the members of a group purchase, and who knows their seats.
public enum InvitationManagement: String, Codable, Hashable, Sendable, CaseIterable {
    /// The App Store invites the members, and each member has a transaction.
    case apple = "APPLE"
    /// The developer's server invites the members, who have no transactions.
    case developer = "DEVELOPER"
}

/// The kind of an offer.
public enum OfferType: Int, Codable, Hashable, Sendable, CaseIterable {
    /// An introductory offer, for new subscribers.
    case introductory = 1
    /// A promotional offer, for existing and former subscribers, signed by the developer's server.
    case promotional = 2
    /// An offer code that the customer redeemed.
    case code = 3
    /// A win-back offer, for former subscribers, shown by the store.
    case winBack = 4
    /// A retention offer, for subscribers who are about to cancel, shown by the store.
    case retention = 5
}

/// The payment mode of an offer.
public enum OfferDiscountType: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer pays nothing for the duration of the offer.
    case freeTrial = "FREE_TRIAL"
    /// The customer pays a discounted price in each period of the offer.
    case payAsYouGo = "PAY_AS_YOU_GO"
    /// The customer pays once for all periods of the offer.
    case payUpFront = "PAY_UP_FRONT"
    /// The customer pays a discounted price once, for a product that does not renew.
    case oneTime = "ONE_TIME"
}

/// The platform on which a customer first acquired an app.
public enum PurchasePlatform: String, Codable, Hashable, Sendable, CaseIterable {
    /// iPhone and iPad.
    case iOS = "iOS"
    /// Mac.
    case macOS = "macOS"
    /// Apple TV.
    case tvOS = "tvOS"
    /// Apple Vision.
    case visionOS = "visionOS"
    /// A device management system of an organization.
    case managed = "MANAGED"
}

/// The billing plan of a subscription.
public enum BillingPlanType: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer pays the whole price upfront.
    case billedUpfront = "BILLED_UPFRONT"
    /// The customer pays monthly, and has committed to a longer term.
    case monthly = "MONTHLY"
}

/// The kind of a purchase's revocation.
public enum RevocationType: String, Codable, Hashable, Sendable, CaseIterable {
    /// The full price was refunded.
    case fullRefund = "REFUND_FULL"
    /// A part of the price was refunded.
    case proratedRefund = "REFUND_PRORATED"
    /// The purchase is no longer available through Family Sharing.
    case familyRevoke = "FAMILY_REVOKE"
    /// The group purchaser or the organization took the seat away from the customer.
    case assignmentRevoke = "ASSIGNMENT_REVOKE"
}

/// The reason why the store revoked a purchase.
public enum PurchaseRevocationReason: Int, Codable, Hashable, Sendable, CaseIterable {
    /// The revocation has a reason other than an issue with the app.
    case other = 0
    /// The revocation follows an actual or perceived issue with the app.
    case issueWithApp = 1
    /// The subscription moved to a bundle; the bundle's transactions give the access.
    case upgradedToBundle = 2
}
