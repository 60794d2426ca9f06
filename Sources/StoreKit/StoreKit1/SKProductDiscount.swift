public import CStoreKit
public import Foundation
import PurchaseModel

/// An introductory or promotional offer of a subscription, with a lower price for a limited time.
open class SKProductDiscount: NSObject, @unchecked Sendable {
    /// The offer in the store's response; set once, before other threads can access the object.
    private var offer: SubscriptionOffer?
    /// The identifier of the storefront's locale; set once, before other threads can access the object.
    private var localeIdentifier = "en_US"
    private let keyed = KeyedValues()

    /// Creates a discount with default values, for subclasses.
    public override init() {}

    convenience init(_ offer: SubscriptionOffer, in localeIdentifier: String) {
        self.init()
        self.offer = offer
        self.localeIdentifier = localeIdentifier
    }

    /// The discounted price; 0 for a free trial.
    ///
    /// The price applies to each period of a pay-as-you-go offer, and otherwise to the whole offer.
    open var price: NSDecimalNumber { keyed["price"] ?? offer?.price.number ?? 0 }
    /// The locale that formats ``price``, including its currency.
    open var priceLocale: Locale {
        keyed["priceLocale"] ?? offer?.price.locale(localeIdentifier) ?? Locale(identifier: "en_US@currency=USD")
    }
    /// The identifier of the offer; nil for an introductory offer.
    open var identifier: String? { keyed["identifier"] ?? offer?.id }
    /// The duration of one period of the offer.
    open var subscriptionPeriod: SKProductSubscriptionPeriod {
        keyed["subscriptionPeriod"] ?? offer.map { SKProductSubscriptionPeriod($0.period) } ?? SKProductSubscriptionPeriod()
    }
    /// The number of periods for which the discounted price applies.
    open var numberOfPeriods: Int { keyed["numberOfPeriods"] ?? offer?.periodCount ?? 0 }
    /// The payment mode of the discount, such as a free trial.
    open var paymentMode: PaymentMode { keyed.choice("paymentMode") ?? offer.map { PaymentMode($0.mode) } ?? .payAsYouGo }
    /// The type of the discount: introductory or promotional offer.
    open var type: `Type` { keyed.choice("type") ?? (offer?.kind == .promotional ? .subscription : .introductory) }

    /// Overrides the value of the property with the name `key`, for tests; nil removes the override.
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
