public import Foundation
import PurchaseModel

extension Product.SubscriptionInfo {
    /// The duration between two charges of a subscription.
    public typealias BillingPeriod = Product.SubscriptionPeriod

    /// A billing plan of a subscription, such as monthly charges with a commitment.
    public struct BillingPlanType: RawRepresentable, Hashable, Sendable {
        /// The App Store's text for the billing plan, such as `MONTHLY`.
        public let rawValue: String

        /// Creates a billing plan from the App Store's text, such as `MONTHLY`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer pays monthly, and commits to the subscription's whole period.
        public static let monthly = BillingPlanType(rawValue: PurchaseModel.BillingPlanType.monthly.rawValue)
        /// The customer pays the whole price at the beginning of each period.
        public static let upFront = BillingPlanType(rawValue: PurchaseModel.BillingPlanType.billedUpfront.rawValue)
    }

    /// The price and the duration of the commitment with which a customer subscribes.
    public struct CommitmentInfo: Hashable, Sendable {
        /// The price of the whole commitment, in the storefront's currency.
        public let price: Decimal
        /// The price of the whole commitment, formatted for the user.
        public let displayPrice: String
        /// The duration of the commitment.
        public let period: Product.SubscriptionPeriod
    }

    /// The price and the period of the charges of a subscription (iOS 27.3 beta).
    public struct BillingInfo: Hashable, Sendable {
        /// The price of one charge, in the storefront's currency (iOS 27.3 beta).
        public let price: Decimal
        /// The price of one charge, formatted for the user (iOS 27.3 beta).
        public let displayPrice: String
        /// The duration between two charges (iOS 27.3 beta).
        public let period: BillingPeriod
    }

    /// The prices and offers of one billing plan of a subscription.
    public struct PricingTerms: Hashable, Sendable {
        /// The price of one charge, in the storefront's currency.
        public let billingPrice: Decimal
        /// The price of one charge, formatted for the user.
        public let billingDisplayPrice: String
        /// The duration between two charges.
        public let billingPeriod: BillingPeriod
        /// The billing plan.
        public let billingPlanType: BillingPlanType
        /// The commitment with which the customer subscribes.
        ///
        /// The commitment of the upfront plan is one period of the subscription.
        public let commitmentInfo: CommitmentInfo
        /// The introductory, promotional and win-back offers of the billing plan, whether or not the customer is eligible.
        public let subscriptionOffers: [Product.SubscriptionOffer]
        /// The prices for one customer, or the prices of seats (iOS 27.3 beta).
        public internal(set) var pricingModel: PricingModel

        /// The offers of a type, such as the promotional offers of the billing plan.
        public subscript(offers type: Product.SubscriptionOffer.OfferType) -> [Product.SubscriptionOffer] {
            subscriptionOffers.filter { $0.type == type }
        }
    }
}

extension Product.SubscriptionInfo.PricingTerms {
    /// The prices for one customer, or the prices of seats (iOS 27.3 beta).
    public enum PricingModel: Hashable, Sendable {
        /// The price for one customer (iOS 27.3 beta).
        case singlePrice(SinglePrice)
        /// The prices of seats (iOS 27.3 beta).
        case seatBased(SeatBasedPricing)
    }

    /// The price for one customer (iOS 27.3 beta).
    public struct SinglePrice: Hashable, Sendable {
        /// The price and the period of the charges (iOS 27.3 beta).
        public let billingInfo: Product.SubscriptionInfo.BillingInfo
        /// The commitment with which the customer subscribes (iOS 27.3 beta).
        public let commitmentInfo: Product.SubscriptionInfo.CommitmentInfo
    }

    /// The prices of seats (iOS 27.3 beta).
    public struct SeatBasedPricing: Hashable, Sendable {
        /// A price for some of the seats (iOS 27.3 beta).
        public struct PriceTier: Hashable, Sendable {
            /// The number of the first seat with the price (iOS 27.3 beta).
            public let minimumSeats: Int
            /// The number of the last seat with the price (iOS 27.3 beta); nil for the last tier.
            public let maximumSeats: Int?
            /// The price and the period of the charges of one seat (iOS 27.3 beta).
            public let billingInfo: Product.SubscriptionInfo.BillingInfo
        }

        /// The prices in the order of the numbers of seats (iOS 27.3 beta).
        public let priceTiers: [PriceTier]

        init(_ pricing: SeatPricing, locale: String, every period: Product.SubscriptionInfo.BillingPeriod) {
            let tiers = pricing.tiers
            priceTiers = tiers.indices.map { index in
                PriceTier(
                    minimumSeats: tiers[index].minimumSeats,
                    maximumSeats: index + 1 < tiers.count ? tiers[index + 1].minimumSeats - 1 : nil,
                    billingInfo: Product.SubscriptionInfo.BillingInfo(
                        price: tiers[index].price.decimal, displayPrice: tiers[index].price.formatted(locale: locale), period: period))
            }
        }
    }
}

extension Product.SubscriptionInfo.PricingTerms {
    /// The offers that the store describes to apps; apps receive offer codes and retention offers in transactions only.
    private static let listed: Set<PurchaseModel.OfferType> = [.introductory, .promotional, .winBack]

    /// Returns the terms of each billing plan of a subscription, the upfront plan first, and then the terms of seats.
    ///
    /// The terms of seats are a separate element, which is an assumption: Apple's documentation that this project has seen does not
    /// state it.
    static func all(_ terms: SubscriptionTerms, of product: StoreProduct) -> [Self] {
        let period = Product.SubscriptionPeriod(terms.period)
        var all = [Self(.billedUpfront, terms, of: product, price: product.price, every: period, commitment: product.price)]
        if let plan = terms.monthlyPlan {
            all.append(Self(.monthly, terms, of: product, price: plan.price, every: .monthly, commitment: plan.commitmentPrice))
        }
        if let seats = terms.seats {
            var element = Self(.billedUpfront, terms, of: product, price: product.price, every: period, commitment: product.price)
            element.pricingModel = .seatBased(SeatBasedPricing(seats.pricing, locale: product.priceLocale, every: period))
            all.append(element)
        }
        return all
    }

    private init(
        _ plan: PurchaseModel.BillingPlanType, _ terms: SubscriptionTerms, of product: StoreProduct, price: Money,
        every period: Product.SubscriptionPeriod, commitment: Money
    ) {
        let locale = product.priceLocale
        billingPrice = price.decimal
        billingDisplayPrice = price.formatted(locale: locale)
        billingPeriod = period
        billingPlanType = Product.SubscriptionInfo.BillingPlanType(rawValue: plan.rawValue)
        commitmentInfo = Product.SubscriptionInfo.CommitmentInfo(
            price: commitment.decimal, displayPrice: commitment.formatted(locale: locale), period: Product.SubscriptionPeriod(terms.period))
        subscriptionOffers = terms.offers(of: plan).filter { Self.listed.contains($0.kind) }
            .map { Product.SubscriptionOffer($0, locale: locale) }
        pricingModel = .singlePrice(
            SinglePrice(
                billingInfo: Product.SubscriptionInfo.BillingInfo(
                    price: billingPrice, displayPrice: billingDisplayPrice, period: period),
                commitmentInfo: commitmentInfo))
    }
}
