public import CStoreKit
public import Foundation
import PurchaseModel

/// A lower price for some periods of a subscription.
open class SKProductDiscount: NSObject, @unchecked Sendable {
    /// Set once, before anybody else sees it.
    private var offer: SubscriptionOffer?
    /// Set once, before anybody else sees it.
    private var localeIdentifier = "en_US"
    private let keyed = KeyedValues()

    /// Creates a discount without content, for subclasses.
    public override init() {}

    convenience init(_ offer: SubscriptionOffer, in localeIdentifier: String) {
        self.init()
        self.offer = offer
        self.localeIdentifier = localeIdentifier
    }

    /// The price of one period when paid as you go, and of the whole offer otherwise; 0 for a free trial.
    open var price: NSDecimalNumber { keyed["price"] ?? offer?.price.number ?? 0 }
    /// The locale to format ``price`` with; carries the currency.
    open var priceLocale: Locale {
        keyed["priceLocale"] ?? offer?.price.locale(localeIdentifier) ?? Locale(identifier: "en_US@currency=USD")
    }
    /// The offer's identifier; nil for the introductory one.
    open var identifier: String? { keyed["identifier"] ?? offer?.id }
    /// The length of one period of the offer.
    open var subscriptionPeriod: SKProductSubscriptionPeriod {
        keyed["subscriptionPeriod"] ?? offer.map { SKProductSubscriptionPeriod($0.period) } ?? SKProductSubscriptionPeriod()
    }
    /// How many periods it lasts.
    open var numberOfPeriods: Int { keyed["numberOfPeriods"] ?? offer?.periodCount ?? 0 }
    /// The payment mode.
    open var paymentMode: PaymentMode { keyed.choice("paymentMode") ?? offer.map { PaymentMode($0.mode) } ?? .payAsYouGo }
    /// Whom it is for.
    open var type: `Type` { keyed.choice("type") ?? (offer?.kind == .promotional ? .subscription : .introductory) }

    /// Sets the value of a property by its name, for tests.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}

extension SKProductDiscount {
    /// How a discount is paid.
    public typealias PaymentMode = SKProductDiscountPaymentMode

    /// Whom a discount is for.
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
