public import CStoreKit
public import Foundation
import PurchaseModel

/// A lower price for some periods of a subscription.
open class SKProductDiscount: NSObject, @unchecked Sendable {
    /// Set once, before other threads can access the object.
    private var offer: SubscriptionOffer?
    /// Set once, before other threads can access the object.
    private var localeIdentifier = "en_US"
    private let keyed = KeyedValues()

    /// Creates a discount without content, for subclasses.
    public override init() {}

    convenience init(_ offer: SubscriptionOffer, in localeIdentifier: String) {
        self.init()
        self.offer = offer
        self.localeIdentifier = localeIdentifier
    }

    /// The price: of one period for pay-as-you-go offers, of the whole offer otherwise; 0 for a free trial.
    open var price: NSDecimalNumber { keyed["price"] ?? offer?.price.number ?? 0 }
    /// The locale that formats ``price``, with its currency.
    open var priceLocale: Locale {
        keyed["priceLocale"] ?? offer?.price.locale(localeIdentifier) ?? Locale(identifier: "en_US@currency=USD")
    }
    /// The offer's identifier; nil for an introductory offer.
    open var identifier: String? { keyed["identifier"] ?? offer?.id }
    /// The duration of one period of the offer.
    open var subscriptionPeriod: SKProductSubscriptionPeriod {
        keyed["subscriptionPeriod"] ?? offer.map { SKProductSubscriptionPeriod($0.period) } ?? SKProductSubscriptionPeriod()
    }
    /// The number of periods of the offer.
    open var numberOfPeriods: Int { keyed["numberOfPeriods"] ?? offer?.periodCount ?? 0 }
    /// The payment mode.
    open var paymentMode: PaymentMode { keyed.choice("paymentMode") ?? offer.map { PaymentMode($0.mode) } ?? .payAsYouGo }
    /// The type of the discount: introductory, or promotional.
    open var type: `Type` { keyed.choice("type") ?? (offer?.kind == .promotional ? .subscription : .introductory) }

    /// Sets the value of a property by its name, for tests.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}

extension SKProductDiscount {
    /// The payment mode of a discount.
    public typealias PaymentMode = SKProductDiscountPaymentMode

    /// The type of a discount.
    public typealias `Type` = SKProductDiscountType
}

extension SKProductDiscountPaymentMode {
    init(_ mode: OfferDiscountType) {
        self =
            switch mode {
            case .payAsYouGo: .payAsYouGo
            case .payUpFront, .oneTime: .payUpFront
            case .freeTrial: .freeTrial
            }
    }
}
