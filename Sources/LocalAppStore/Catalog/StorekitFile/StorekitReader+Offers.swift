import FoundationExtras
import PurchaseModel
import PurchaseProof

extension StorekitReader {
    /// Reads a subscription's offers of every kind, and adds errors and warnings about them.
    ///
    /// - Parameters:
    ///   - period: The subscription's period; nil if it is invalid.
    ///   - winBackOfferIDs: The identifiers of the subscription group's win-back offers that are already read.
    func readOffers(_ object: StorekitObject, period: BillingPeriod?, winBackOfferIDs: inout Set<OpaqueText>) -> [SubscriptionOffer] {
        var offers = introductoryOffers(object, period: period)
        for (key, kind, keys) in [
            ("adHocOffers", OfferType.promotional, StorekitKeys.promotionalOffer), ("codeOffers", .code, StorekitKeys.codeOffer),
            ("winbackOffers", .winBack, StorekitKeys.winBackOffer),
        ] {
            var names: Set<OpaqueText> = []
            for offer in object.objects(key, keys: keys) {
                guard let parsed = readOffer(offer, kind, period: period) else { continue }
                offers.append(parsed)
                guard let id = parsed.id else { continue }
                // The identifier of a win-back offer must be unique in the whole subscription group.
                let isNew = kind == .winBack ? winBackOfferIDs.insert(OpaqueText(id)).inserted : names.insert(OpaqueText(id)).inserted
                if !isNew {
                    diagnostics.warning(
                        offer.memberPath(kind == .code ? "referenceName" : "offerID"),
                        "Another offer \(kind == .winBack ? "of the group" : "of the product") has the same identifier: use unique identifiers."
                    )
                }
            }
        }
        return offers
    }

    /// Reads the list `introductoryOffers` of version 5, or the single `introductoryOffer` of earlier versions; the list takes precedence.
    private func introductoryOffers(_ object: StorekitObject, period: BillingPeriod?) -> [SubscriptionOffer] {
        let single = object.object("introductoryOffer", keys: StorekitKeys.introductoryOffer)
        guard object.value("introductoryOffers") != nil else {
            return single.flatMap { readOffer($0, .introductory, period: period) }.map { [$0] } ?? []
        }
        var plans: Set<BillingPlanType?> = []
        var offers: [SubscriptionOffer] = []
        for element in object.objects("introductoryOffers", keys: StorekitKeys.introductoryOffer) {
            guard let offer = readOffer(element, .introductory, period: period) else { continue }
            if !plans.insert(offer.billingPlan).inserted {
                diagnostics.warning(
                    element.path, "Two introductory offers have the same billing plan, and only the first is used: remove one.")
            }
            offers.append(offer)
        }
        if let single, let offer = readOffer(single, .introductory, period: period), !offers.contains(offer) {
            diagnostics.warning(
                object.memberPath("introductoryOffer"),
                "introductoryOffer differs from introductoryOffers, which takes precedence: make both the same.")
        }
        return offers
    }

    private func readOffer(_ object: StorekitObject, _ kind: OfferType, period billing: BillingPeriod?) -> SubscriptionOffer? {
        let mode = readMode(object)
        // An offer with a payment mode that a later version has introduced can lack the members of the other offers.
        guard mode != nil || !diagnostics.isLaterVersion else { return nil }
        let period = readPeriod(object, "subscriptionPeriod")
        let id = offerID(object, kind)
        let price = offerPrice(object, mode)
        let plan = readPlanType(object)
        // An offer for an unknown billing plan is not one for every plan.
        guard plan != nil || object.value("billingPlanType") == nil else { return nil }
        guard let mode, let period, let price, kind == .code || kind == .introductory || id != nil else { return nil }
        if mode == .payAsYouGo, let billing, period != billing {
            diagnostics.warning(
                object.memberPath("subscriptionPeriod"),
                "The period of a pay-as-you-go offer must equal the subscription's period: use \(billing.iso8601)."
            )
        }
        return SubscriptionOffer(
            kind: kind, id: id, mode: mode, period: period, periodCount: periodCount(object, mode), price: price,
            eligibility: kind == .code ? eligibility(object) : [], isStackable: object.bool("isStackable") ?? false,
            isEligible: object.bool("isEligible"), billingPlan: plan
        )
    }

    private func readMode(_ object: StorekitObject) -> OfferDiscountType? {
        guard object.value("paymentMode") != nil else {
            object.missing("paymentMode", "The offer's payment mode is missing: use free, payAsYouGo or payUpFront.")
            return nil
        }
        switch object.string("paymentMode") {
        case "free"?: return .freeTrial
        case "payAsYouGo"?: return .payAsYouGo
        case "payUpFront"?: return .payUpFront
        case nil: return nil
        case _?:
            diagnostics.unknownValue(of: object, "paymentMode", "the payment mode must be free, payAsYouGo or payUpFront.")
            return nil
        }
    }

    private func offerID(_ object: StorekitObject, _ kind: OfferType) -> String? {
        switch kind {
        case .introductory, .retention: return nil
        case .code:
            let name = object.label("referenceName")
            if name.isEmpty {
                diagnostics.warning(
                    object.memberPath("referenceName"), "An offer code without a reference name cannot be redeemed: add a reference name.")
            }
            return name.isEmpty ? nil : name
        case .promotional, .winBack:
            _ = object.label("referenceName")
            guard object.value("offerID") != nil else {
                object.missing("offerID", "The offer's identifier is missing: use the identifier that the app requests.")
                return nil
            }
            guard let id = object.string("offerID") else { return nil }
            guard !id.isEmpty else {
                diagnostics.invalidValue(
                    object.memberPath("offerID"), "the offer's identifier is empty: use the identifier that the app requests.")
                return nil
            }
            guard kind != .promotional || !PromotionalOffer.containsSeparator(id) else {
                diagnostics.invalidValue(
                    object.memberPath("offerID"), "the offer's identifier contains U+2063, which separates the fields of a signature.")
                return nil
            }
            return id
        }
    }

    /// Returns the price of an offer; 0 for a free trial, whose price in the file is ignored because it may be outdated.
    private func offerPrice(_ object: StorekitObject, _ mode: OfferDiscountType?) -> Money? {
        guard mode != .freeTrial else { return Money(milliunits: 0, currency: storefront.currency) }
        guard object.value("displayPrice") != nil else {
            if mode != nil {
                object.missing("displayPrice", "The offer's price is missing: use a decimal such as 0.99, or the payment mode free.")
            }
            return nil
        }
        return object.string("displayPrice").flatMap { money($0, at: object.memberPath("displayPrice")) }
    }

    private func periodCount(_ object: StorekitObject, _ mode: OfferDiscountType) -> Int {
        let count = object.integer("numberOfPeriods") ?? 1
        guard (1...366).contains(count) else {
            diagnostics.warning(object.memberPath("numberOfPeriods"), "The number of periods is out of range, and 1 is used: use 1 to 366.")
            return 1
        }
        guard count == 1 || mode == .payAsYouGo else {
            diagnostics.warning(
                object.memberPath("numberOfPeriods"),
                "Only pay-as-you-go offers have several periods, and 1 is used: set subscriptionPeriod to the total duration."
            )
            return 1
        }
        return count
    }

    private func eligibility(_ object: StorekitObject) -> Set<OfferEligibility> {
        var eligibility: Set<OfferEligibility> = []
        for (index, element) in object.array("eligibility").enumerated() {
            guard let text = element.text, let audience = OfferEligibility(rawValue: text) else {
                diagnostics.warning(
                    "\(object.memberPath("eligibility"))[\(index)]",
                    "The eligibility is unknown and is ignored: use new, existing or expired.")
                continue
            }
            eligibility.insert(audience)
        }
        if eligibility.isEmpty {
            diagnostics.warning(object.memberPath("eligibility"), "No customer is eligible for the offer: add new, existing or expired.")
        }
        return eligibility
    }
}
