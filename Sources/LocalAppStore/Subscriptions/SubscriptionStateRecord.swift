import Foundation
import FoundationExtras
import GRDB
import PrivateFiles
import PurchaseModel

/// The format in which the database stores a subscription: JSON in the column `subscription`.
struct SubscriptionStateRecord: StoredRecord {
    static let currentVersion = 1

    struct Plan: Codable, Hashable, Sendable {
        let productID: ProductID
        let level: Int
        let period: String
        let price: Price
        let billingPlan: String?
        let commitment: Commitment?
        let seatPricing: [SeatTier]?
    }

    struct SeatTier: Codable, Hashable, Sendable {
        let minimumSeats: Int
        let price: Price
    }

    struct Seats: Codable, Hashable, Sendable {
        let purchased: Int
        let refunded: Int
        let atRenewal: Int

        fileprivate func seats() throws -> SubscriptionSeats {
            for number in [purchased, refunded, atRenewal] {
                _ = try UnreadableRecord.read("\(number)") { _ in (0...Subscription.purchasedSeatLimit).contains(number) ? number : nil }
            }
            return SubscriptionSeats(purchased: purchased, refunded: refunded, atRenewal: atRenewal)
        }
    }

    struct Commitment: Codable, Hashable, Sendable {
        let charges: Int
        let price: Price
    }

    struct Charge: Codable, Hashable, Sendable {
        let number: Int
        let count: Int
        let expires: Timestamp
        let price: Price
    }

    struct Price: Codable, Hashable, Sendable {
        let milliunits: Int64
        let currency: String
    }

    struct Offer: Codable, Hashable, Sendable {
        let type: Int
        let id: String?
        let mode: String
        let period: String
        let periodCount: Int
        let price: Price
        let eligibility: [String]
        let isStackable: Bool
        let isEligible: Bool?
        let billingPlan: String?
    }

    struct Period: Codable, Hashable, Sendable {
        let number: Int
        let plan: Plan
        let offer: Offer?
        let offerPeriod: Int?
        let price: Price
        let reason: String
        let start: Timestamp
        let end: Timestamp
        let commitment: Charge?
        let seats: [MultiSeatPriceTier]?
        let bundle: SubscriptionBundle?
    }

    struct PriceIncreaseRecord: Codable, Hashable, Sendable {
        let price: Price
        let consent: String
    }

    struct State: Codable, Hashable, Sendable {
        let name: String
        var until: Timestamp?
        var retryUntil: Timestamp?
        var expirationIntent: Int?
    }

    struct Revocation: Codable, Hashable, Sendable {
        let stateBefore: State
        let autoRenewedBefore: Bool
    }

    struct Rules: Codable, Hashable, Sendable {
        let timeRate: Int
        let billingGracePeriodIsEnabled: Bool
        let billingGracePeriodDays: Int?
        let billingGracePeriodRequiresPaidPeriod: Bool
        let billingRetryDays: Int
        let renewalLimit: Int?
        let maximumServiceGap: Int64
        let hasMillisecondPrecision: Bool?
        let chargeAhead: Int64?
    }

    let version: Int
    let originalTransactionID: TransactionID
    let ownership: String
    let rules: Rules
    let appAccountToken: CustomerID?
    let appTransactionID: String?
    let state: State
    let period: Period
    let paidUntil: Timestamp
    let plan: Plan
    let autoRenews: Bool
    let pendingPlan: Plan?
    let pendingOffer: Offer?
    let priceIncrease: PriceIncreaseRecord?
    let recentSubscriptionStartDate: Timestamp
    let hasUsedIntroductoryOffer: Bool
    let seats: Seats?
    let unbundling: Subscription.Unbundling?
    let renewals: Int
    let billingDay: Int?
    let extensions: [Timestamp]
    let revocation: Revocation?
    let handledUntil: Timestamp
}

// MARK: - Conversion

extension SubscriptionStateRecord {
    init(_ subscription: Subscription) {
        version = Self.currentVersion
        originalTransactionID = subscription.originalTransactionID
        ownership = subscription.ownership.rawValue
        rules = Rules(subscription.rules)
        appAccountToken = subscription.appAccountToken
        appTransactionID = subscription.appTransactionID
        state = State(subscription.state)
        period = Period(subscription.period)
        paidUntil = subscription.paidUntil
        plan = Plan(subscription.plan)
        autoRenews = subscription.autoRenews
        pendingPlan = subscription.pendingPlan.map { Plan($0) }
        pendingOffer = subscription.pendingOffer.map { Offer($0) }
        priceIncrease = subscription.priceIncrease.map { PriceIncreaseRecord($0) }
        recentSubscriptionStartDate = subscription.recentSubscriptionStartDate
        hasUsedIntroductoryOffer = subscription.hasUsedIntroductoryOffer
        seats = subscription.seats.map { Seats(purchased: $0.purchased, refunded: $0.refunded, atRenewal: $0.atRenewal) }
        unbundling = subscription.unbundling
        renewals = subscription.renewals
        billingDay = subscription.billingDay
        extensions = subscription.extensions
        revocation = subscription.stateBeforeRevocation.map { Revocation(stateBefore: State($0.state), autoRenewedBefore: $0.autoRenews) }
        handledUntil = subscription.handledUntil
    }

    func value() throws -> Subscription {
        try checkVersion()
        return Subscription(
            originalTransactionID: originalTransactionID,
            ownership: try UnreadableRecord.read(ownership) { Ownership(rawValue: $0) },
            rules: try rules.rules(),
            appAccountToken: appAccountToken,
            appTransactionID: appTransactionID,
            state: try state.state(),
            period: try period.period(),
            paidUntil: paidUntil,
            plan: try plan.plan(),
            autoRenews: autoRenews,
            pendingPlan: try pendingPlan?.plan(),
            pendingOffer: try pendingOffer?.offer(),
            priceIncrease: try priceIncrease?.priceIncrease(),
            recentSubscriptionStartDate: recentSubscriptionStartDate,
            hasUsedIntroductoryOffer: hasUsedIntroductoryOffer,
            seats: try seats?.seats(),
            unbundling: unbundling,
            renewals: renewals,
            billingDay: billingDay,
            extensions: extensions,
            stateBeforeRevocation: try revocation.map {
                Subscription.StateBeforeRevocation(state: try $0.stateBefore.state(), autoRenews: $0.autoRenewedBefore)
            },
            handledUntil: handledUntil
        )
    }
}

extension SubscriptionStateRecord.Price {
    fileprivate init(_ money: Money) {
        (milliunits, currency) = (money.milliunits, money.currency)
    }

    fileprivate var money: Money { Money(milliunits: milliunits, currency: currency) }
}

extension SubscriptionStateRecord.Plan {
    fileprivate init(_ plan: SubscriptionPlan) {
        productID = plan.productID
        level = plan.level
        period = plan.period.iso8601
        price = SubscriptionStateRecord.Price(plan.price)
        billingPlan = plan.billingPlan?.rawValue
        commitment = plan.commitment.map {
            SubscriptionStateRecord.Commitment(charges: $0.charges, price: SubscriptionStateRecord.Price($0.price))
        }
        seatPricing = plan.seatPricing?.tiers.map {
            SubscriptionStateRecord.SeatTier(minimumSeats: $0.minimumSeats, price: SubscriptionStateRecord.Price($0.price))
        }
    }

    fileprivate func plan() throws -> SubscriptionPlan {
        SubscriptionPlan(
            productID: productID, level: level, period: try UnreadableRecord.read(period) { BillingPeriod(iso8601: $0) },
            price: price.money,
            billingPlan: try billingPlan.map { try UnreadableRecord.read($0) { BillingPlanType(rawValue: $0) } },
            commitment: try commitment.map {
                SubscriptionCommitment(charges: try SubscriptionStateRecord.charges($0.charges), price: $0.price.money)
            },
            seatPricing: try seatPricing.map { tiers in
                try UnreadableRecord.read("\(tiers.count)") { _ in
                    SeatPricing(tiers.map { SeatPricing.Tier(minimumSeats: $0.minimumSeats, price: $0.price.money) })
                }
            }
        )
    }
}

extension SubscriptionStateRecord {
    /// Returns a number of charges of a commitment.
    ///
    /// - Throws: ``UnreadableRecord`` for a number that no commitment has.
    fileprivate static func charges(_ number: Int) throws -> Int {
        try UnreadableRecord.read("\(number)") { _ in (1...366).contains(number) ? number : nil }
    }
}

extension SubscriptionStateRecord.Charge {
    fileprivate init(_ charge: CommitmentCharge) {
        (number, count, expires) = (charge.number, charge.count, charge.expires)
        price = SubscriptionStateRecord.Price(charge.price)
    }

    fileprivate func charge() throws -> CommitmentCharge {
        CommitmentCharge(
            number: try SubscriptionStateRecord.charges(number), count: try SubscriptionStateRecord.charges(count), expires: expires,
            price: price.money)
    }
}

extension SubscriptionStateRecord.Offer {
    fileprivate init(_ offer: SubscriptionOffer) {
        type = offer.kind.rawValue
        id = offer.id
        mode = offer.mode.rawValue
        period = offer.period.iso8601
        periodCount = offer.periodCount
        price = SubscriptionStateRecord.Price(offer.price)
        eligibility = offer.eligibility.map(Self.name).sorted()
        isStackable = offer.isStackable
        isEligible = offer.isEligible
        billingPlan = offer.billingPlan?.rawValue
    }

    fileprivate func offer() throws -> SubscriptionOffer {
        SubscriptionOffer(
            kind: try UnreadableRecord.read(type) { OfferType(rawValue: $0) },
            id: id,
            mode: try UnreadableRecord.read(mode) { OfferDiscountType(rawValue: $0) },
            period: try UnreadableRecord.read(period) { BillingPeriod(iso8601: $0) },
            periodCount: periodCount,
            price: price.money,
            eligibility: Set(try eligibility.map { name in try UnreadableRecord.read(name) { Self.eligibility($0) } }),
            isStackable: isStackable,
            isEligible: isEligible,
            billingPlan: try billingPlan.map { try UnreadableRecord.read($0) { BillingPlanType(rawValue: $0) } }
        )
    }

    private static func name(_ eligibility: OfferEligibility) -> String {
        switch eligibility {
        case .new: "new"
        case .existing: "existing"
        case .expired: "expired"
        }
    }

    private static func eligibility(_ name: String) -> OfferEligibility? {
        OfferEligibility.allCases.first { Self.name($0) == name }
    }
}

extension SubscriptionStateRecord.Period {
    fileprivate init(_ period: SubscriptionPeriod) {
        number = period.number
        plan = SubscriptionStateRecord.Plan(period.plan)
        offer = period.offer.map { SubscriptionStateRecord.Offer($0.offer) }
        offerPeriod = period.offer?.number
        price = SubscriptionStateRecord.Price(period.price)
        reason = period.reason.rawValue
        start = period.start
        end = period.end
        commitment = period.commitment.map { SubscriptionStateRecord.Charge($0) }
        (seats, bundle) = (period.seats, period.bundle)
    }

    fileprivate func period() throws -> SubscriptionPeriod {
        SubscriptionPeriod(
            number: number,
            plan: try plan.plan(),
            offer: try offer.map { AppliedOffer(try $0.offer(), number: offerPeriod ?? 1) },
            price: price.money,
            reason: try UnreadableRecord.read(reason) { TransactionReason(rawValue: $0) },
            start: start,
            end: end,
            commitment: try commitment?.charge(),
            seats: seats,
            bundle: bundle
        )
    }
}

extension SubscriptionStateRecord.PriceIncreaseRecord {
    fileprivate init(_ increase: PriceIncrease) {
        price = SubscriptionStateRecord.Price(increase.price)
        consent = Self.name(increase.consent)
    }

    fileprivate func priceIncrease() throws -> PriceIncrease {
        PriceIncrease(
            price: price.money,
            consent: try UnreadableRecord.read(consent) { name in PriceIncrease.Consent.allCases.first { Self.name($0) == name } })
    }

    private static func name(_ consent: PriceIncrease.Consent) -> String {
        switch consent {
        case .pending: "pending"
        case .accepted: "consented"
        case .notRequested: "notRequested"
        }
    }
}

extension SubscriptionStateRecord.State {
    fileprivate init(_ state: Subscription.State) {
        switch state {
        case .active: self.init(name: "active")
        case .gracePeriod(let until, let retryUntil):
            self.init(name: "gracePeriod", until: until, retryUntil: retryUntil)
        case .billingRetry(let until): self.init(name: "billingRetry", until: until)
        case .expired(let intent): self.init(name: "expired", expirationIntent: intent.rawValue)
        case .revoked: self.init(name: "revoked")
        }
    }

    fileprivate func state() throws -> Subscription.State {
        switch (name, until, retryUntil, expirationIntent.flatMap { ExpirationIntent(rawValue: $0) }) {
        case ("active", _, _, _): .active
        case ("gracePeriod", let until?, let retryUntil?, _):
            .gracePeriod(until: until, retryUntil: retryUntil)
        case ("billingRetry", let until?, _, _): .billingRetry(until: until)
        case ("expired", _, _, let intent?): .expired(intent)
        case ("revoked", _, _, _): .revoked
        default: throw UnreadableRecord(value: name)
        }
    }
}

extension SubscriptionStateRecord.Rules {
    init(_ rules: SubscriptionRules) {
        timeRate = rules.timeRate.rawValue
        billingGracePeriodIsEnabled = rules.billingGracePeriodIsEnabled
        billingGracePeriodDays = rules.billingGracePeriodDays
        billingGracePeriodRequiresPaidPeriod = rules.billingGracePeriodRequiresPaidPeriod
        billingRetryDays = rules.billingRetryDays
        renewalLimit = rules.renewalLimit
        maximumServiceGap = rules.maximumServiceGap
        hasMillisecondPrecision = rules.hasMillisecondPrecision
        chargeAhead = rules.chargeAhead
    }

    func rules() throws -> SubscriptionRules {
        var rules = SubscriptionRules(
            timeRate: try UnreadableRecord.read(timeRate) { SubscriptionTimeRate(rawValue: $0) },
            billingGracePeriodIsEnabled: billingGracePeriodIsEnabled,
            billingGracePeriodDays: billingGracePeriodDays, billingGracePeriodRequiresPaidPeriod: billingGracePeriodRequiresPaidPeriod,
            billingRetryDays: billingRetryDays, renewalLimit: renewalLimit, maximumServiceGap: maximumServiceGap)
        rules.hasMillisecondPrecision = hasMillisecondPrecision
        rules.chargeAhead = chargeAhead
        return rules
    }
}
