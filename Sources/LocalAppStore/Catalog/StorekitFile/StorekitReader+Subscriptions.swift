import FoundationExtras
import PurchaseModel

extension StorekitReader {
    /// The subscription periods that the App Store supports.
    private static let periods: Set<String> = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

    /// Reads a subscription group without its subscriptions; returns nil and adds an error if the group has no identifier.
    func readGroup(_ object: StorekitObject) -> CatalogGroup? {
        let name = object.label("name")
        if name.isEmpty { diagnostics.warning(object.memberPath("name"), "The subscription group has no name: add a name.") }
        let localizations = readLocalizations(object)
        guard object.value("id") != nil else {
            object.missing("id", "The subscription group's identifier is missing: use 8 digits.")
            return nil
        }
        guard let id = object.string("id") else { return nil }
        guard !id.isEmpty else {
            diagnostics.invalidValue(object.memberPath("id"), "the subscription group's identifier is empty: use 8 digits.")
            return nil
        }
        return CatalogGroup(id: SubscriptionGroupID(id), name: name, localizations: localizations)
    }

    /// Reads a subscription of a subscription group; returns nil and adds an error if the subscription is invalid.
    ///
    /// - Parameter winBackOfferIDs: The identifiers of the group's win-back offers that are already read.
    func readSubscription(
        _ object: StorekitObject, in group: SubscriptionGroupID, winBackOfferIDs: inout Set<OpaqueText>
    ) -> CatalogProduct? {
        if let type = object.string("type"), type != "RecurringSubscription" {
            diagnostics.unknownValue(
                of: object, "type", "a subscription group contains only products of the type RecurringSubscription.")
            return nil
        }
        if let declaredGroup = object.string("subscriptionGroupID"), declaredGroup != group.rawValue {
            diagnostics.warning(
                object.memberPath("subscriptionGroupID"),
                "The subscriptionGroupID differs from the group that contains it: use \(StorekitObject.printable(group.rawValue))."
            )
        }
        let product = readProduct(object, .autoRenewable)
        if let product, product.price.milliunits == 0, object.value("displayPrice")?.text?.isEmpty == false {
            return freeSubscription(product, object, in: group)
        }
        let period = readPeriod(object, "recurringSubscriptionPeriod")
        if let period, !Self.periods.contains(period.iso8601) {
            diagnostics.warning(
                object.memberPath("recurringSubscriptionPeriod"),
                "The App Store does not support this period: use P1W, P1M, P2M, P3M, P6M or P1Y."
            )
        }
        let level = readLevel(object)
        let offers = readOffers(object, period: period, winBackOfferIDs: &winBackOfferIDs)
        let plans = readBillingPlans(object)
        let seats = object.object("_tillrollSeats", keys: StorekitKeys.seats).flatMap { readSeats($0, product?.price) }
        guard var product, let period else { return nil }
        product.subscription = CatalogSubscription(
            group: group, level: level, period: period, offers: offers, billingPlans: plans, seats: seats)
        return product
    }

    /// Returns the free subscription for a product whose price in a subscription group is 0.
    ///
    /// A free subscription never ends, so its period has no effect; the period is kept so that the file can be written again.
    private func freeSubscription(
        _ product: CatalogProduct, _ object: StorekitObject, in group: SubscriptionGroupID
    ) -> CatalogProduct? {
        guard
            let period = object.value("recurringSubscriptionPeriod")?.text.flatMap(BillingPeriod.init(iso8601:)) ?? BillingPeriod(1, .month)
        else { return nil }
        var product = product
        product.type = .freeSubscription
        product.subscription = CatalogSubscription(group: group, level: readLevel(object), period: period)
        return product
    }

    private static let lowestLevel = 1_000_000

    private func readLevel(_ object: StorekitObject) -> Int {
        let level = object.integer("groupNumber") ?? 1
        if level < 1 {
            diagnostics.warning(
                object.memberPath("groupNumber"), "The subscription's level is less than 1, and 1 is used: use 1 (highest) or more.")
            return 1
        }
        if level > Self.lowestLevel {
            diagnostics.warning(
                object.memberPath("groupNumber"),
                "The subscription's level is too large, and \(Self.lowestLevel) is used: use \(Self.lowestLevel) or less.")
        }
        return min(level, Self.lowestLevel)
    }

    /// Reads an ISO 8601 duration with one unit, such as `P1M`; returns nil and adds an error if the value is missing or invalid.
    func readPeriod(_ object: StorekitObject, _ key: String) -> BillingPeriod? {
        guard object.value(key) != nil else {
            object.missing(key, "The subscription period is missing: use a period such as P1W, P1M or P1Y.")
            return nil
        }
        guard let text = object.string(key) else { return nil }
        guard let period = BillingPeriod(iso8601: text) else {
            diagnostics.invalidValue(object.memberPath(key), "the period must have one unit, such as P1W, P1M or P1Y.")
            return nil
        }
        return period
    }

    private func readBillingPlans(_ object: StorekitObject) -> [CatalogBillingPlan] {
        var types: Set<BillingPlanType> = []
        return object.objects("billingPlans", keys: StorekitKeys.billingPlan).compactMap { object in
            guard let type = readPlanType(object) else {
                if object.value("billingPlanType") == nil {
                    object.missing("billingPlanType", "The billing plan's type is missing: use BILLED_UPFRONT or MONTHLY.")
                }
                return nil
            }
            if !types.insert(type).inserted {
                diagnostics.warning(
                    object.memberPath("billingPlanType"),
                    "Two billing plans of the subscription have the same type, and only the first is used: remove one.")
            }
            let priceText = object.string("displayPrice").flatMap { $0.isEmpty ? nil : $0 }
            guard
                let price = priceText.map({ money($0, at: object.memberPath("displayPrice")) })
                    ?? Money(milliunits: 0, currency: storefront.currency)
            else { return nil }
            let commitment = object.string("commitmentDisplayPrice").flatMap { $0.isEmpty ? nil : $0 }
            return CatalogBillingPlan(
                type: type, price: price,
                commitmentPrice: commitment.flatMap { money($0, at: object.memberPath("commitmentDisplayPrice")) },
                isEnabled: object.bool("isEnabled") ?? true
            )
        }
    }

    /// Reads the seats of a subscription; returns nil and adds an error if they are invalid.
    ///
    /// - Parameters:
    ///   - object: The value of `_tillrollSeats`.
    ///   - price: The price of the subscription; nil if it is invalid.
    private func readSeats(_ object: StorekitObject, _ price: Money?) -> CatalogSeats? {
        var seats = CatalogSeats(purchaserTakesSeat: object.bool("purchaserTakesSeat") ?? false)
        if let text = object.string("invitationManagement") {
            guard let management = InvitationManagement(rawValue: text) else {
                diagnostics.invalidValue(object.memberPath("invitationManagement"), "the value must be APPLE or DEVELOPER.")
                return nil
            }
            seats.invitationManagement = management
        }
        for tier in object.objects("priceTiers", keys: StorekitKeys.priceTier) {
            guard let minimumSeats = tier.integer("minimumSeats"), let text = tier.string("displayPrice") else {
                tier.missing("minimumSeats", "A price tier has two members: use minimumSeats, such as 21, and displayPrice.")
                continue
            }
            guard let price = money(text, at: tier.memberPath("displayPrice")) else { continue }
            seats.priceTiers.append(CatalogSeats.Tier(minimumSeats: minimumSeats, price: price))
        }
        guard let price, seats.pricing(from: price) == nil else { return seats }
        diagnostics.invalidValue(
            object.memberPath("priceTiers"),
            "there are at most \(SeatPricing.tierLimit - 1) tiers, and minimumSeats rises from 2 to at most \(SeatPricing.seatLimit).")
        return nil
    }

    /// Reads the billing plan type of an offer or a billing plan; returns nil if there is none, or if it is invalid, which adds an error.
    func readPlanType(_ object: StorekitObject) -> BillingPlanType? {
        guard let text = object.string("billingPlanType") else { return nil }
        guard let type = BillingPlanType(rawValue: text) else {
            diagnostics.unknownValue(of: object, "billingPlanType", "the billing plan type must be BILLED_UPFRONT or MONTHLY.")
            return nil
        }
        return type
    }
}
