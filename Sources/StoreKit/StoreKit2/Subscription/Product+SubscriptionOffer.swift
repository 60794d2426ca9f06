public import Foundation
import PurchaseModel

extension Product {
    /// A lower price for some periods of a subscription.
    public struct SubscriptionOffer: Hashable, Sendable {
        /// The offer's identifier; nil for an introductory offer.
        public let id: String?
        /// Which kind of offer.
        public let type: OfferType
        /// What one period costs when paid as you go, and the whole offer otherwise.
        public let price: Decimal
        /// The price as a person reads it.
        public let displayPrice: String
        /// One billing period when paid as you go; the whole length of the offer otherwise.
        public let period: SubscriptionPeriod
        /// How many periods it lasts; 1 unless paid as you go.
        public let periodCount: Int
        /// The payment mode.
        public let paymentMode: PaymentMode

        init(_ offer: PurchaseModel.SubscriptionOffer, locale: String) {
            id = offer.kind == .introductory ? nil : offer.id
            type = OfferType(offer.kind)
            price = offer.price.decimal
            displayPrice = offer.price.formatted(locale: locale)
            period = SubscriptionPeriod(offer.period)
            periodCount = offer.periodCount
            paymentMode = PaymentMode(offer.mode)
        }
    }
}

extension Product.SubscriptionOffer {
    /// Which kind of offer it is.
    public struct OfferType: RawRepresentable, Hashable, Sendable {
        /// The word for it.
        public let rawValue: String

        /// Creates a kind from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        init(_ kind: PurchaseModel.OfferType) {
            self =
                switch kind {
                case .introductory: .introductory
                case .promotional: .promotional
                case .code: OfferType(rawValue: "Code")
                case .winBack: .winBack
                }
        }

        /// For new subscribers.
        public static let introductory = OfferType(rawValue: "Introductory")
        /// For existing and former subscribers, signed by the developer's server.
        public static let promotional = OfferType(rawValue: "Promotional")
        /// For former subscribers.
        public static let winBack = OfferType(rawValue: "WinBack")

        /// The kind as a person reads it.
        public var localizedDescription: String { self == .winBack ? "Win-back" : rawValue }
    }

    /// The payment mode of an offer.
    public struct PaymentMode: RawRepresentable, Hashable, Sendable {
        /// The word for it.
        public let rawValue: String

        /// Creates a mode from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        init(_ mode: OfferDiscountType) {
            self =
                switch mode {
                case .freeTrial: .freeTrial
                case .payAsYouGo: .payAsYouGo
                case .payUpFront: .payUpFront
                case .oneTime: PaymentMode(rawValue: "OneTime")
                }
        }

        /// A lower price in each period.
        public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
        /// Once for all its periods.
        public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
        /// Not at all.
        public static let freeTrial = PaymentMode(rawValue: "FreeTrial")

        /// The mode as a person reads it.
        public var localizedDescription: String {
            switch self {
            case .payAsYouGo: "Pay as you go"
            case .payUpFront: "Pay up front"
            case .freeTrial: "Free trial"
            default: rawValue
            }
        }
    }

    /// The developer's word that a customer may have a promotional offer.
    public struct Signature: Hashable, Sendable {
        /// The name of the key that signed.
        public var keyID: String
        /// What the server used once.
        public var nonce: UUID
        /// The date of the signature, in milliseconds since 1970.
        public var timestamp: Int
        /// The signature, in DER.
        public var signature: Data

        /// Creates a signature from what the developer's server sent.
        public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
            self.keyID = keyID
            self.nonce = nonce
            self.timestamp = timestamp
            self.signature = signature
        }
    }
}
