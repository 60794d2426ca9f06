extension Transaction {
    /// The cause of a transaction: a purchase or a renewal.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The App Store's text for the reason, such as `RENEWAL`.
        public let rawValue: String

        /// Creates a reason from the App Store's text, such as `RENEWAL`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer purchased the product.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// The App Store renewed an auto-renewable subscription.
        public static let renewal = Reason(rawValue: "RENEWAL")
    }

    /// The reason why the App Store refunded or revoked a transaction.
    public struct RevocationReason: RawRepresentable, Hashable, Sendable {
        /// The App Store's number for the reason, such as 1 for ``developerIssue``.
        public let rawValue: Int

        /// Creates a reason from the App Store's number, such as 1 for ``developerIssue``.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The customer reported an actual or perceived issue within the app.
        public static let developerIssue = RevocationReason(rawValue: 1)
        /// The revocation has another reason.
        public static let other = RevocationReason(rawValue: 0)
        /// The subscription moved to a bundle, whose transactions give the access.
        public static var upgradedToBundle: RevocationReason { RevocationReason(rawValue: 2) }

        /// A description of the reason, always in English.
        public var localizedDescription: String {
            switch self {
            case .developerIssue: "Developer issue"
            case .upgradedToBundle: "Upgraded to bundle"
            default: "Other"
            }
        }
    }

    /// The type of a subscription offer.
    public struct OfferType: RawRepresentable, Hashable, Sendable {
        /// The App Store's number for the type, such as 1 for ``introductory``.
        public let rawValue: Int

        /// Creates a type from the App Store's number, such as 1 for ``introductory``.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// An introductory offer, for new subscribers.
        public static let introductory = OfferType(rawValue: 1)
        /// A promotional offer for existing and former subscribers, signed by the developer's server.
        public static let promotional = OfferType(rawValue: 2)
        /// An offer code that the customer redeemed.
        public static let code = OfferType(rawValue: 3)
        /// A win-back offer, for former subscribers.
        public static var winBack: OfferType { OfferType(rawValue: 4) }

        /// A description of the type, always in English.
        public var localizedDescription: String {
            switch self {
            case .introductory: "Introductory"
            case .promotional: "Promotional"
            case .code: "Code"
            case .winBack: "Win-back"
            default: "Unknown"
            }
        }
    }

    /// The relationship of the customer to a purchase: purchaser, member of the purchaser's family, or holder of a seat.
    public struct OwnershipType: RawRepresentable, Hashable, Sendable {
        /// The App Store's text for the ownership type, such as `PURCHASED`.
        public let rawValue: String

        /// Creates an ownership type from the App Store's text, such as `PURCHASED`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer purchased the product.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// Another family member purchased the product and shares it through Family Sharing.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
        /// A group purchaser or an organization assigned a seat of the subscription to the customer.
        public static var assigned: OwnershipType { OwnershipType(rawValue: "ASSIGNED") }

        /// A description of the type, always in English.
        public var localizedDescription: String {
            switch self {
            case .purchased: "Purchased"
            case .familyShared: "Family shared"
            case .assigned: "Assigned"
            default: rawValue
            }
        }
    }
}
