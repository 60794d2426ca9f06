extension Transaction {
    /// The offer that applied to a purchase.
    public struct Offer: Hashable, Sendable {
        /// The payment mode of an offer, such as a free trial.
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            /// The App Store's text for the payment mode, such as `FREE_TRIAL`.
            public let rawValue: String

            /// Creates a payment mode from the App Store's text, such as `FREE_TRIAL`.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The customer pays nothing during the offer.
            public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
            /// The customer pays a lower price in each period of the offer.
            public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// The customer pays once for the whole offer.
            public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
            /// The customer pays once for a product that is not a subscription.
            public static var oneTime: PaymentMode { PaymentMode(rawValue: "ONE_TIME") }
        }

        /// The identifier of the offer, or the reference name of the offer code; nil for an introductory offer.
        public let id: String?
        /// The type of the offer, such as introductory or promotional.
        public let type: OfferType
        /// The payment mode of the offer; nil when the signed data does not contain it.
        public let paymentMode: PaymentMode?
        /// The total duration of the offer; nil when the signed data does not contain it.
        public let period: Product.SubscriptionPeriod?

        let iso8601Period: String?

        init?(type: Int?, id: String?, mode: String?, period: String?) {
            guard let type else { return nil }
            self.id = id
            self.type = OfferType(rawValue: type)
            paymentMode = mode.map { PaymentMode(rawValue: $0) }
            self.period = Product.SubscriptionPeriod(iso8601: period)
            iso8601Period = period
        }
    }
}
