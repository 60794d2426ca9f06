public import Foundation
import PurchaseModel

extension Product {
    /// A lower price for some periods of a subscription.
    public struct SubscriptionOffer: Hashable, Sendable {
        /// The offer's identifier; nil for an introductory offer.
        public let id: String?
        /// The type of the offer.
        public let type: OfferType
        /// The price: of one period for pay-as-you-go offers, of the whole offer otherwise.
        public let price: Decimal
        /// The price, formatted for the user.
        public let displayPrice: String
        /// The duration: of one billing period for pay-as-you-go offers, of the whole offer otherwise.
        public let period: SubscriptionPeriod
        /// The number of periods; 1 unless the offer is pay-as-you-go.
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
    /// The type of an offer.
    public struct OfferType: RawRepresentable, Hashable, Sendable {
        /// The raw value, as in StoreKit.
        public let rawValue: String

        /// Creates a type from its raw value.
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

        /// An introductory offer, for new subscribers.
        public static let introductory = OfferType(rawValue: "Introductory")
        /// A promotional offer for existing and former subscribers, signed by the developer's server.
        public static let promotional = OfferType(rawValue: "Promotional")
        /// A win-back offer, for former subscribers.
        public static let winBack = OfferType(rawValue: "WinBack")

        /// The type in English, for display.
        public var localizedDescription: String { self == .winBack ? "Win-back" : rawValue }
    }

    /// The payment mode of an offer.
    public struct PaymentMode: RawRepresentable, Hashable, Sendable {
        /// The raw value, as in StoreKit.
        public let rawValue: String

        /// Creates a mode from its raw value.
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

        /// The customer pays a lower price in each period.
        public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
        /// The customer pays once for the whole offer.
        public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
        /// The customer pays nothing.
        public static let freeTrial = PaymentMode(rawValue: "FreeTrial")

        /// The mode in English, for display.
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
        /// The identifier of the signing key.
        public var keyID: String
        /// The nonce, which the server uses once.
        public var nonce: UUID
        /// The date of the signature, in milliseconds since 1970.
        public var timestamp: Int
        /// The signature, in DER.
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
