import PurchaseModel

/// The difference between the products of an app's files and the products that a server read last.
///
/// A product that the files no longer list stays in the catalog if customers would lose entitlements, credits or content without it: a file
/// that was truncated by mistake must not end paid access. The settings of a listed product replace all earlier settings, so
/// `"entitlements": []` confirms that purchases of the product give no entitlement any more.
struct FileProductChange: Hashable, Sendable {
    /// The files' products in the catalog before the change.
    let known: [ServerProduct]
    /// The products that the files list.
    let listed: [ServerProduct]
    /// The products that stay in the catalog although the files no longer list them; the catalog marks them as unavailable to apps.
    let kept: [ServerProduct]
    /// The listed products whose purchases give fewer entitlements, credits or content than before.
    let reduced: [ServerProduct]

    init(from known: [ServerProduct], to listed: [ServerProduct]) {
        let byID = Dictionary(listed.map { ($0.id, $0) }) { first, _ in first }
        self.known = known
        self.listed = listed
        kept = known.filter { byID[$0.id] == nil && Self.givesLess(nil, than: $0) }.map { product in
            var product = product
            product.isAvailable = false
            return product
        }
        reduced = known.compactMap { old in byID[old.id].flatMap { Self.givesLess($0, than: old) ? $0 : nil } }
    }

    /// The products of the catalog after the change.
    var products: [ServerProduct] { listed + kept }

    /// Whether the products differ from the products that a server read last, and must be stored.
    var isNew: Bool { Set(known) != Set(products) }

    /// Returns whether the purchases of a product give fewer entitlements or credits, no credits in their currency, or a shorter duration,
    /// or lose their file.
    ///
    /// Removing the duration is no loss, because purchases without a duration do not end.
    ///
    /// - Parameter new: The listed product; nil for an unlisted product, whose purchases give an entitlement with the product's identifier.
    private static func givesLess(_ new: ServerProduct?, than old: ServerProduct) -> Bool {
        let (before, after) = (ProductCatalog([old]), ProductCatalog([new].compactMap { $0 }))
        if !Set(before.entitlements(of: old.id)).isSubset(of: after.entitlements(of: old.id)) { return true }
        if let credits = old.credits, credits > 0 {
            let isSameCurrency = (old.currency ?? .credits) == (new?.currency ?? .credits)
            if !isSameCurrency || credits > new?.credits ?? 0 { return true }
        }
        if let duration = new?.duration, old.duration.map({ duration.canEndBefore($0) }) ?? true { return true }
        return old.file != nil && new?.file == nil
    }
}

extension BillingPeriod {
    /// Returns whether a period of this duration ends before a period of another duration with the same start, in at least one month of a
    /// common or a leap year.
    fileprivate func canEndBefore(_ other: BillingPeriod) -> Bool {
        // Compare from the beginning of each month of 2023, a common year, and of 2024, a leap year.
        let first = Timestamp(milliseconds: 1_672_531_200_000)
        let starts = (0..<24).map { BillingPeriod($0, .month)?.end(after: first) ?? first }
        return starts.contains { end(after: $0) < other.end(after: $0) }
    }
}
