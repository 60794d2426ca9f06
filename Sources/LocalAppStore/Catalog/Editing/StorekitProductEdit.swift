import FoundationExtras
import PurchaseModel

/// A change of a product in the JSON of a `.storekit` file; unchanged properties and unknown keys stay as they are.
struct StorekitProductEdit {
    /// The product after the change.
    let new: CatalogProduct
    /// The product before the change; nil for a new product.
    let old: CatalogProduct?
    /// The JSON object of the product before the change.
    let json: JSONValue

    /// The JSON object of the changed product.
    var result: JSONValue {
        var json = json
        if old == nil { json.set("productID", to: .string(new.id.rawValue)) }
        json.set("type", to: new.type, unless: old?.type, StorekitEncoding.type)
        // A price of 0 would make the subscription a free subscription. An empty price means that the author has not entered a price.
        let isUnpriced = new.type == .autoRenewable && new.price.milliunits == 0
        if new.price != old?.price || new.type != old?.type {
            json.set("displayPrice", to: isUnpriced ? "" : StorekitEncoding.price(new.price))
        }
        json.set("_tillrollPrices", to: new.prices, unless: old?.prices ?? [:]) { prices in
            prices.isEmpty
                ? nil : .object(prices.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, StorekitEncoding.price($0.value)) })
        }
        json.set("familyShareable", to: new.isFamilyShareable, unless: old?.isFamilyShareable) { .bool($0) }
        if old == nil || new.internalID != old?.internalID {
            json.set("internalID", to: new.internalID.isEmpty ? StorekitEncoding.internalID(new.id.rawValue) : .string(new.internalID))
        }
        json.set("referenceName", to: new.referenceName, unless: old?.referenceName) { $0.isEmpty ? .null : .string($0) }
        json.set("localizations", to: new.localizations, unless: old?.localizations) {
            StorekitEncoding.localizations($0, over: self.json["localizations"]?.elements ?? [])
        }
        subscription(&json)
        return json
    }

    private func subscription(_ json: inout JSONValue) {
        guard let terms = new.subscription else {
            // A product that is no longer a subscription loses the keys of subscriptions.
            if old?.subscription != nil {
                for key in StorekitKeys.subscription.keys where StorekitKeys.product[key] == nil { json.set(key, to: nil) }
            }
            return
        }
        let oldTerms = old?.subscription
        json.set("subscriptionGroupID", to: terms.group, unless: oldTerms?.group) { .string($0.rawValue) }
        json.set("groupNumber", to: terms.level, unless: oldTerms?.level) { .number($0) }
        json.set("recurringSubscriptionPeriod", to: terms.period, unless: oldTerms?.period) { .string($0.iso8601) }
        if terms.offers != oldTerms?.offers {
            StorekitOffersEdit(productID: new.id, offers: terms.offers, json: self.json).write(to: &json)
        }
        if terms.billingPlans != (oldTerms?.billingPlans ?? []) {
            json.set("billingPlans", to: .array(terms.billingPlans.map(plan)))
        }
        json.set("_tillrollSeats", to: terms.seats, unless: oldTerms?.seats) { $0.map(seats) }
    }

    private func seats(_ seats: CatalogSeats) -> JSONValue {
        var json = JSONValue.object([])
        json.set("invitationManagement", to: .string(seats.invitationManagement.rawValue))
        let tiers = seats.priceTiers.map { tier in
            JSONValue.object([
                JSONValue.Member("displayPrice", StorekitEncoding.price(tier.price)),
                JSONValue.Member("minimumSeats", .number(tier.minimumSeats)),
            ])
        }
        json.set("priceTiers", to: .array(tiers))
        json.set("purchaserTakesSeat", to: .bool(seats.purchaserTakesSeat))
        return json
    }

    private func plan(_ plan: CatalogBillingPlan) -> JSONValue {
        let old = self.json["billingPlans"]?.elements.first { $0.hasValue("billingPlanType", plan.type.rawValue) }
        var json = old ?? .object([JSONValue.Member("internalID", StorekitEncoding.internalID("\(new.id) \(plan.type.rawValue)"))])
        json.set("billingPlanType", to: .string(plan.type.rawValue))
        json.set("displayPrice", to: StorekitEncoding.price(plan.price))
        json.set("commitmentDisplayPrice", to: plan.commitmentPrice.map(StorekitEncoding.price))
        json.set("isEnabled", to: .bool(plan.isEnabled))
        return json
    }
}
