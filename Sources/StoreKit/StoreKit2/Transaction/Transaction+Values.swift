extension Transaction {
    /// Whether the customer bought, or the store renewed.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The store's word for it.
        public let rawValue: String

        /// Creates a reason from the store's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer bought.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// The store renewed a subscription.
        public static let renewal = Reason(rawValue: "RENEWAL")
    }

    /// The reason for a revocation.
    public struct RevocationReason: RawRepresentable, Hashable, Sendable {
        /// The store's number for it.
        public let rawValue: Int

        /// Creates a reason from the store's number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// For a fault of the app, real or felt.
        public static let developerIssue = RevocationReason(rawValue: 1)
        /// For another reason.
        public static let other = RevocationReason(rawValue: 0)

        /// The reason as a person reads it.
        public var localizedDescription: String { self == .developerIssue ? "Developer issue" : "Other" }
    }

    /// Which kind of offer a price came from.
    public struct OfferType: RawRepresentable, Hashable, Sendable {
        /// The store's number for it.
        public let rawValue: Int

        /// Creates a kind from the store's number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// For new subscribers.
        public static let introductory = OfferType(rawValue: 1)
        /// For existing and former subscribers, signed by the developer's server.
        public static let promotional = OfferType(rawValue: 2)
        /// By a code that the customer typed in.
        public static let code = OfferType(rawValue: 3)
        /// For former subscribers.
        public static var winBack: OfferType { OfferType(rawValue: 4) }

        /// The kind as a person reads it.
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
        /// The store's word for it.
        public let rawValue: String

        /// Creates a type from the store's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Bought.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// Another member of the family purchased the product.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")

        /// The type as a person reads it.
        public var localizedDescription: String {
            switch self {
            case .purchased: "Purchased"
            case .familyShared: "Family shared"
            default: rawValue
            }
        }
    }
}
