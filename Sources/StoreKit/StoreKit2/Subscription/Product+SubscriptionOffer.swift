public import Foundation
import PurchaseModel

extension Product {
    /// An offer of a subscription, with a lower price for a limited time.
    public struct SubscriptionOffer: Hashable, Sendable {
        /// The identifier of the offer; nil for an introductory offer.
        public let id: String?
        /// The type of the offer, such as introductory or promotional.
        public let type: OfferType
        /// The discounted price in the storefront's currency; 0 for a free trial.
        ///
        /// The price applies to each period of a pay-as-you-go offer, and otherwise to the whole offer.
        public let price: Decimal
        /// The discounted price, formatted for the user.
        public let displayPrice: String
        /// The duration of one period of the offer.
        ///
        /// The period is a billing period of a pay-as-you-go offer, and otherwise the whole offer.
        public let period: SubscriptionPeriod
        /// The number of periods for which the offer applies; 1 unless the offer is pay-as-you-go.
        public let periodCount: Int
        /// The payment mode of the offer, such as a free trial.
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
    /// The type of a subscription offer.
    public struct OfferType: RawRepresentable, Hashable, Sendable {
        /// The raw value as in Apple's StoreKit, such as `Promotional`.
        public let rawValue: String

        /// Creates an offer type from a raw value, such as `Promotional`.
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
                case .retention: OfferType(rawValue: "Retention")
                }
        }

        /// An introductory offer, for new subscribers.
        public static let introductory = OfferType(rawValue: "Introductory")
        /// A promotional offer for existing and former subscribers, signed by the developer's server.
        public static let promotional = OfferType(rawValue: "Promotional")
        /// A win-back offer, for former subscribers.
        public static let winBack = OfferType(rawValue: "WinBack")

        /// A description of the type, always in English.
        public var localizedDescription: String { self == .winBack ? "Win-back" : rawValue }
    }

    /// The payment mode of a subscription offer.
    public struct PaymentMode: RawRepresentable, Hashable, Sendable {
        /// The raw value as in Apple's StoreKit, such as `FreeTrial`.
        public let rawValue: String

        /// Creates a payment mode from a raw value, such as `FreeTrial`.
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

        /// The customer pays a lower price in each period of the offer.
        public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
        /// The customer pays once for the whole offer.
        public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
        /// The customer pays nothing during the offer.
        public static let freeTrial = PaymentMode(rawValue: "FreeTrial")

        /// A description of the payment mode, always in English.
        public var localizedDescription: String {
            switch self {
            case .payAsYouGo: "Pay as you go"
            case .payUpFront: "Pay up front"
            case .freeTrial: "Free trial"
            default: rawValue
            }
        }
    }

    /// The developer's signature for a promotional offer.
    public struct Signature: Hashable, Sendable {
        /// The identifier of the developer's key that created the signature.
        public var keyID: String
        /// The UUID that the developer's server generated for this signature.
        public var nonce: UUID
        /// The date on which the developer's server signed the offer, in milliseconds since 1970.
        public var timestamp: Int
        /// The ECDSA signature, DER-encoded.
        public var signature: Data

        /// Creates a signature from the values that the developer's server sent.
        public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
            self.keyID = keyID
            self.nonce = nonce
            self.timestamp = timestamp
            self.signature = signature
        }
    }
}
