extension Transaction {
    /// The cause of a transaction: a purchase or a renewal.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The store's raw value.
        public let rawValue: String

        /// Creates a reason from the store's raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer purchased the product.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// The store renewed a subscription.
        public static let renewal = Reason(rawValue: "RENEWAL")
    }

    /// The reason for a revocation.
    public struct RevocationReason: RawRepresentable, Hashable, Sendable {
        /// The store's raw value.
        public let rawValue: Int

        /// Creates a reason from the store's raw value.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// An actual or perceived issue within the app.
        public static let developerIssue = RevocationReason(rawValue: 1)
        /// Another reason.
        public static let other = RevocationReason(rawValue: 0)

        /// The reason in English, for display.
        public var localizedDescription: String { self == .developerIssue ? "Developer issue" : "Other" }
    }

    /// The type of an offer.
    public struct OfferType: RawRepresentable, Hashable, Sendable {
        /// The store's raw value.
        public let rawValue: Int

        /// Creates a type from the store's raw value.
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

        /// The type in English, for display.
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

    /// The ownership type of a purchase.
    public struct OwnershipType: RawRepresentable, Hashable, Sendable {
        /// The store's raw value.
        public let rawValue: String

        /// Creates a type from the store's raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer purchased the product.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// Another member of the family purchased the product.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")

        /// The type in English, for display.
        public var localizedDescription: String {
            switch self {
            case .purchased: "Purchased"
            case .familyShared: "Family shared"
            default: rawValue
            }
        }
    }
}
