import PurchaseModel
import PurchaseStorage

/// Whether the customers of an app consented to sharing consumption data with Apple.
public enum ConsumptionConsent: String, Codable, Hashable, Sendable, CaseIterable {
    /// The server does not answer requests for consumption information.
    case off
    /// Each customer consents, or declines, with `POST /v1/customer/consent`.
    case customers
    /// Every customer consented, for example with the terms of use.
    case all
}

/// The server's policy for answers to `CONSUMPTION_REQUEST` notifications.
public struct ConsumptionPolicy: Hashable, Sendable {
    /// The developer's preferred outcome of refund requests.
    public enum Preference: String, Codable, Hashable, Sendable, CaseIterable {
        /// The answer states no preference.
        case none
        /// The refund should be declined.
        case decline
        /// The full price should be refunded.
        case grantFull = "grant-full"
        /// The price of the unconsumed part should be refunded.
        case grantProrated = "grant-prorated"
    }

    /// Whether the answer states that a free sample was available.
    public enum Sample: String, Codable, Hashable, Sendable, CaseIterable {
        /// The answer states that no free sample was available.
        case no
        /// The answer states that a free sample was available.
        case yes
    }

    /// The customers' consent to sharing consumption data.
    public var consent: ConsumptionConsent
    /// The developer's preferred outcome of refund requests.
    public var preference: Preference
    /// Whether a free sample or trial was available before the purchase.
    public var sample: Sample

    /// Creates a policy; by default, the server does not answer requests for consumption information.
    public init(consent: ConsumptionConsent = .off, preference: Preference = .none, sample: Sample = .no) {
        self.consent = consent
        self.preference = preference
        self.sample = sample
    }

    /// Returns the answer about a purchase.
    ///
    /// - Parameters:
    ///   - type: The product type.
    ///   - isDelivered: Whether the customer received the purchase.
    ///   - consumed: The consumed share in thousandths of a percent; nil if unknown.
    func answer(about type: ProductType?, isDelivered: Bool, consumed: Int32?) -> ConsumptionRequest {
        // State no consumed share of an auto-renewable subscription, because the App Store calculates the share.
        let percentage = type == .autoRenewable ? nil : isDelivered ? consumed : 0
        return ConsumptionRequest(
            customerConsented: true, deliveryStatus: isDelivered ? .delivered : .other, sampleContentProvided: sample == .yes,
            consumptionPercentage: percentage, refundPreference: preference(type, percentage))
    }

    private func preference(_ type: ProductType?, _ percentage: Int32?) -> ConsumptionRequest.RefundPreference? {
        switch preference {
        case .none: return nil
        case .decline: return .decline
        case .grantFull: return .grantFull
        case .grantProrated:
            // Omit the prorated preference for a consumed share of 0 or 100 percent, because the App Store refuses the preference.
            let isPartial = percentage.map { (1..<ConsumptionRequest.fullPercentage).contains($0) } ?? false
            return type == .autoRenewable || isPartial ? .grantProrated : nil
        }
    }

    /// Returns the consumed share of a charge's credits, in thousandths of a percent.
    ///
    /// The method counts the oldest credits as spent first, so the balance consists of the newest credits.
    ///
    /// - Parameters:
    ///   - credits: The credits that the charge added.
    ///   - balance: The customer's balance.
    ///   - later: The credits that were added after the charge.
    static func consumedShare(of credits: Int64, balance: Int64, later: Int64) -> Int32 {
        guard credits > 0 else { return 0 }
        let (rest, overflow) = balance.subtractingReportingOverflow(max(0, later))
        let unspent = overflow ? 0 : min(max(rest, 0), credits)
        return Int32(clamping: CreditRule.share(of: credits - unspent, in: credits))
    }
}

extension CreditRule {
    /// Returns a part as thousandths of a percent of a whole, rounded down.
    fileprivate static func share(of part: Int64, in whole: Int64) -> Int64 {
        let full = Int64(ConsumptionRequest.fullPercentage)
        let (product, overflow) = part.multipliedReportingOverflow(by: full)
        return overflow ? min(full, part / max(1, whole / full)) : product / whole
    }
}

extension StorageTransaction {
    /// Returns the answer about a transaction; nil for an unknown purchase, or without the customer's consent.
    func consumption(
        of transaction: TransactionID, of purchase: TransactionID, catalog: ProductCatalog, policy: ConsumptionPolicy
    ) throws -> ConsumptionRequest? {
        guard let record = try self.purchase(purchase), let payload = try self.transaction(transaction, of: purchase)?.transaction else {
            return nil
        }
        if policy.consent == .customers {
            // Check the current customer, because the purchase may have moved, or the customer may have been merged, since the request.
            guard let customer = try record.customer.map(current), try consumptionConsent(of: customer) != nil else { return nil }
        }
        guard let charge = CreditRule.charge(of: payload), let credit = try credit(ofCharge: charge, of: purchase) else {
            // Report a product without credits as delivered if the purchase belongs to a customer.
            let addsCredits = catalog[payload.productId]?.credits ?? 0 > 0
            return policy.answer(about: payload.productType, isDelivered: record.customer != nil && !addsCredits, consumed: nil)
        }
        let customer = try current(credit.customer)
        let balance = try balance(of: customer, in: credit.currency).amount
        let later = try creditsAdded(to: customer, after: credit)
        let consumed = ConsumptionPolicy.consumedShare(of: credit.credits, balance: balance, later: later)
        return policy.answer(about: payload.productType, isDelivered: true, consumed: consumed)
    }

    /// Returns the credits that a customer received after a charge; only the newest 2,000 postings are read.
    private func creditsAdded(to customer: CustomerID, after credit: PurchaseCredit) throws -> Int64 {
        let key = "\(credit.purchase) \(credit.charge)"
        // Return 0 for a missing posting, which may be in another customer's ledger after a merge.
        guard let first = try posting(.purchase, key: key, of: customer, in: credit.currency)?.number else { return 0 }
        var (sum, before) = (Int64(0), Int64?.none)
        var undone: Set<OpaqueText> = []
        for _ in 0..<20 {
            let page = try postings(of: customer, in: credit.currency, before: before, limit: 100)
            for posting in page where posting.number > first {
                // Remember each merge reversal: pages list the newest postings first, so the reversal comes before the merge.
                if posting.kind == .mergeReversal { undone.insert(OpaqueText(posting.key)) }
                guard [.purchase, .grant, .merge, .refundReversal].contains(posting.kind),
                    posting.kind != .merge || undone.remove(OpaqueText(posting.key)) == nil
                else { continue }
                sum = sum.addingReportingOverflow(max(0, posting.amount)).partialValue
            }
            guard let last = page.last, last.number > first else { break }
            before = last.number
        }
        return sum
    }
}
