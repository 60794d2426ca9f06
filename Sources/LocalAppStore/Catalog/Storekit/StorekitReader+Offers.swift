import PurchaseModel

extension StorekitReader {
    /// Reads the offers of every kind.
    func readOffers(_ object: StorekitObject, period: BillingPeriod?, winBacks: inout Set<String>) -> [SubscriptionOffer] {
        var offers = introductoryOffers(object, period: period)
        for (key, kind, keys) in [
            ("adHocOffers", OfferType.promotional, StorekitKeys.promotionalOffer), ("codeOffers", .code, StorekitKeys.codeOffer),
            ("winbackOffers", .winBack, StorekitKeys.winBackOffer),
        ] {
            var names: Set<String> = []
            for offer in object.objects(key, keys: keys) {
                guard let read = readOffer(offer, kind, period: period) else { continue }
                offers.append(read)
                guard let id = read.id else { continue }
                // A win-back offer's identifier must be unique in the whole group.
                let isNew = kind == .winBack ? winBacks.insert(id).inserted : names.insert(id).inserted
                if !isNew {
                    notes.warning(
                        offer.place(kind == .code ? "referenceName" : "offerID"),
                        "Another offer \(kind == .winBack ? "of the group" : "of the product") has this identifier: give each its own."
                    )
                }
            }
        }
        return offers
    }

    /// Reads the list of introductory offers of version 5, or the single offer of earlier versions; the list takes precedence.
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
                notes.warning(element.path, "Two introductory offers are for the same billing plan and the first counts: remove one.")
            }
            offers.append(offer)
        }
        if let single, let offer = readOffer(single, .introductory, period: period), !offers.contains(offer) {
            notes.warning(object.place("introductoryOffer"), "It disagrees with introductoryOffers, which counts: make them the same.")
        }
        return offers
    }

    private func readOffer(_ object: StorekitObject, _ kind: OfferType, period billing: BillingPeriod?) -> SubscriptionOffer? {
        let mode = readMode(object)
        let period = readPeriod(object, "subscriptionPeriod")
        let id = offerID(object, kind)
        let price = offerPrice(object, mode)
        let plan = readPlanType(object)
        guard let mode, let period, let price, kind == .code || kind == .introductory || id != nil else { return nil }
        if mode == .payAsYouGo, let billing, period != billing {
            notes.warning(
                object.place("subscriptionPeriod"), "Paid as you go, the offer's period is the subscription's: write \(billing.iso8601)."
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
            object.missing("paymentMode", "How the offer is paid is missing: write free, payAsYouGo or payUpFront.")
            return nil
        }
        switch object.string("paymentMode") {
        case "free"?: return .freeTrial
        case "payAsYouGo"?: return .payAsYouGo
        case "payUpFront"?: return .payUpFront
        case nil: return nil
        case _?:
            notes.unusable(object.place("paymentMode"), "it is none of free, payAsYouGo and payUpFront.")
            return nil
        }
    }

    private func offerID(_ object: StorekitObject, _ kind: OfferType) -> String? {
        switch kind {
        case .introductory: return nil
        case .code:
            let name = object.label("referenceName")
            if name.isEmpty {
                notes.warning(object.place("referenceName"), "Without a reference name nobody can redeem the offer: write one.")
            }
            return name.isEmpty ? nil : name
        case .promotional, .winBack:
            _ = object.label("referenceName")
            guard object.value("offerID") != nil else {
                object.missing("offerID", "The offer's identifier is missing: write the one that your app asks for.")
                return nil
            }
            guard let id = object.string("offerID") else { return nil }
            guard !id.isEmpty else {
                notes.unusable(object.place("offerID"), "the offer's identifier is empty: write the one that your app asks for.")
                return nil
            }
            return id
        }
    }

    /// The price of a free trial is zero: files can contain an outdated price for a free trial, which the reader ignores.
    private func offerPrice(_ object: StorekitObject, _ mode: OfferDiscountType?) -> Money? {
        guard mode != .freeTrial else { return Money(milliunits: 0, currency: storefront.currency) }
        guard object.value("displayPrice") != nil else {
            if mode != nil {
                object.missing("displayPrice", "The offer's price is missing: write a decimal such as 0.99, or make it free.")
            }
            return nil
        }
        return object.string("displayPrice").flatMap { money($0, at: object.place("displayPrice")) }
    }

    private func periodCount(_ object: StorekitObject, _ mode: OfferDiscountType) -> Int {
        let count = object.integer("numberOfPeriods") ?? 1
        guard (1...366).contains(count) else {
            notes.warning(object.place("numberOfPeriods"), "The number is out of range and counts as 1: write 1 to 366.")
            return 1
        }
        guard count == 1 || mode == .payAsYouGo else {
            notes.warning(
                object.place("numberOfPeriods"),
                "Only what is paid as you go has several periods, and this counts as 1: write the whole length in subscriptionPeriod."
            )
            return 1
        }
        return count
    }

    private func eligibility(_ object: StorekitObject) -> Set<OfferEligibility> {
        var customers: Set<OfferEligibility> = []
        for (index, element) in object.array("eligibility").enumerated() {
            guard let text = element.text, let customer = OfferEligibility(rawValue: text) else {
                notes.warning("\(object.place("eligibility"))[\(index)]", "This is none of new, existing and expired, and is ignored.")
                continue
            }
            customers.insert(customer)
        }
        if customers.isEmpty {
            notes.warning(object.place("eligibility"), "The offer is for nobody: name some of new, existing and expired.")
        }
        return customers
    }
}
