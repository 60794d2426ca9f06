import FoundationExtras
import PurchaseModel

/// A change of a subscription's offers in the JSON of a `.storekit` file.
///
/// Offers that exist in the file keep their internal IDs and their unknown keys.
struct StorekitOffersEdit {
    let productID: ProductID
    let offers: [SubscriptionOffer]
    /// The JSON object of the subscription before the change.
    let json: JSONValue

    func write(to product: inout JSONValue) {
        introductory(&product)
        for (kind, key, name) in [
            (OfferType.promotional, "adHocOffers", "offerID"), (.code, "codeOffers", "referenceName"),
            (.winBack, "winbackOffers", "offerID"),
        ] {
            let old = json[key]?.elements ?? []
            let new = offers.filter { $0.kind == kind }
            guard !(new.isEmpty && json[key] == nil && kind != .promotional) else { continue }
            let objects = new.map { offer in object(offer, over: old.first { $0.hasValue(name, offer.id ?? "") }) }
            product.set(key, to: .array(objects))
        }
    }

    /// Writes one introductory offer as `introductoryOffer`, and several as the list `introductoryOffers`.
    ///
    /// All file versions have `introductoryOffer`; only version 5 has the list.
    private func introductory(_ product: inout JSONValue) {
        let new = offers.filter { $0.kind == .introductory }
        let oldSingle = json["introductoryOffer"].flatMap { $0 == .null ? nil : $0 }
        let oldList = json["introductoryOffers"]?.elements
        let objects = new.enumerated().map { index, offer in
            object(offer, over: oldList.map { index < $0.count ? $0[index] : nil } ?? (index == 0 ? oldSingle : nil))
        }
        if oldList != nil || objects.count > 1 || new.contains(where: { $0.billingPlan != nil }) {
            product.set("introductoryOffers", to: .array(objects))
            if json["introductoryOffer"] != nil { product.set("introductoryOffer", to: objects.first ?? .null) }
        } else {
            product.set("introductoryOffer", to: objects.first ?? .null)
        }
    }

    private func object(_ offer: SubscriptionOffer, over old: JSONValue?) -> JSONValue {
        let name = "\(productID) \(offer.kind) \(offer.id ?? "") \(offer.billingPlan?.rawValue ?? "")"
        var json = old ?? .object([JSONValue.Member("internalID", StorekitEncoding.internalID(name))])
        json.set("paymentMode", to: StorekitEncoding.mode(offer.mode))
        json.set("subscriptionPeriod", to: .string(offer.period.iso8601))
        if offer.periodCount != 1 || json["numberOfPeriods"] != nil { json.set("numberOfPeriods", to: .number(offer.periodCount)) }
        json.set("displayPrice", to: offer.mode == .freeTrial ? nil : StorekitEncoding.price(offer.price))
        json.set("billingPlanType", to: offer.billingPlan.map { .string($0.rawValue) })
        switch offer.kind {
        // The format has no retention offers.
        case .introductory, .retention: break
        case .promotional:
            json.set("offerID", to: offer.id.map { .string($0) })
            if json["referenceName"] == nil { json.set("referenceName", to: offer.id.map { .string($0) }) }
        case .code:
            json.set("referenceName", to: offer.id.map { .string($0) })
            json.set("eligibility", to: .array(OfferEligibility.allCases.filter(offer.eligibility.contains).map { .string($0.rawValue) }))
            json.set("isStackable", to: .bool(offer.isStackable))
        case .winBack:
            json.set("offerID", to: offer.id.map { .string($0) })
            if json["referenceName"] == nil { json.set("referenceName", to: offer.id.map { .string($0) }) }
            json.set("isEligible", to: offer.isEligible.map { .bool($0) })
        }
        return json
    }
}
