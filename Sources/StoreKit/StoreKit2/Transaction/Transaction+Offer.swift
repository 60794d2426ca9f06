extension Transaction {
    /// The offer that something was bought with.
    public struct Offer: Hashable, Sendable {
        /// The payment mode of an offer.
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            /// The store's word for it.
            public let rawValue: String

            /// Creates a mode from the store's word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// Not at all.
            public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
            /// A lower price in each period.
            public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// Once for all its periods.
            public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
            /// Once, for a product that is bought once.
            public static var oneTime: PaymentMode { PaymentMode(rawValue: "ONE_TIME") }
        }

        /// The offer's identifier, or the code's reference name; nil for an introductory offer.
        public let id: String?
        /// Which kind of offer.
        public let type: OfferType
        /// The payment mode; nil when the signed data does not contain it.
        public let paymentMode: PaymentMode?
        /// The total duration; nil when the signed data does not contain it.
        public let period: Product.SubscriptionPeriod?

        let statedPeriod: String?

        init?(type: Int?, id: String?, mode: String?, period: String?) {
            guard let type else { return nil }
            self.id = id
            self.type = OfferType(rawValue: type)
            paymentMode = mode.map { PaymentMode(rawValue: $0) }
            self.period = Product.SubscriptionPeriod(stated: period)
            statedPeriod = period
        }
    }
}
