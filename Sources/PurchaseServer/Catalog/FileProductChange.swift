import PurchaseModel

/// How the products of an app's files differ from those that a server read last.
///
/// A product that the files no longer list stays in the catalog if its customers would lose something without it: a file that was cut by
/// mistake must not take away what customers paid for. A product that the files list counts as it is listed, so `"entitlements": []` confirms
/// that its purchases give nothing any more.
struct FileProductChange: Hashable, Sendable {
    /// The products that a server read last, and those that it kept.
    let known: [ServerProduct]
    /// The products that the files list.
    let listed: [ServerProduct]
    /// The products that the files no longer list, and that stay in the catalog; apps do not list them.
    let kept: [ServerProduct]
    /// The listed products whose purchases give less than before.
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

    /// The products of the catalog: those of the files, and the kept ones.
    var products: [ServerProduct] { listed + kept }

    /// Whether a server must store the products, because it read others last.
    var isNew: Bool { Set(known) != Set(products) }

    /// Returns whether the purchases of a product give fewer entitlements or credits, end earlier, or have no file any more.
    ///
    /// - Parameter new: The product as the files list it; nil for a product that they do not list, which gives its own identifier.
    private static func givesLess(_ new: ServerProduct?, than old: ServerProduct) -> Bool {
        let (before, after) = (Catalog([old]), Catalog([new].compactMap { $0 }))
        if !Set(before.entitlements(of: old.id)).isSubset(of: after.entitlements(of: old.id)) { return true }
        if let credits = old.credits, credits > new?.credits ?? 0 || old.currency != new?.currency { return true }
        if let duration = new?.duration, duration != old.duration { return true }
        return old.file != nil && new?.file == nil
    }
}
