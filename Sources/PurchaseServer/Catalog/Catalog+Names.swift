import PurchaseModel

/// The names that grants can use in addition to those of the products.
struct DeclaredNames: Hashable, Sendable {
    /// The entitlements that no product gives, such as `beta`.
    var entitlements: Set<EntitlementName> = []
    /// The currencies that no product adds to.
    var currencies: Set<CurrencyID> = []
}

/// A name in a grant that is neither a product's nor declared, with the most similar name that is.
struct UnknownName: Hashable, Sendable {
    /// The name.
    let name: String
    /// The most similar known name.
    let nearest: String

    /// Compares a name with the known ones; nil if it is one of them, or if there are none.
    ///
    /// A server without products knows no names, and can't tell a misspelled name.
    fileprivate init?<Name: WireIdentifier>(_ name: Name, among known: Set<Name>) {
        guard !known.isEmpty, !known.contains(name) else { return nil }
        self.name = name.rawValue
        nearest = ConfigurationKeys.nearest(to: name.rawValue, among: known.sorted().map(\.rawValue))
    }
}

extension Catalog {
    /// Returns what is wrong with the name of an entitlement to grant; nil if a product gives it, or if it is declared.
    func unknown(_ name: EntitlementName) -> UnknownName? {
        guard !declared.entitlements.contains(name) else { return nil }
        let given = products.flatMap { entitlements(of: $0.id) }
        return UnknownName(name, among: declared.entitlements.union(given))
    }

    /// Returns what is wrong with a currency to grant; nil if a product adds to it, or if it is declared.
    func unknown(_ currency: CurrencyID) -> UnknownName? {
        guard !declared.currencies.contains(currency) else { return nil }
        let added = products.filter { $0.credits != nil }.map { $0.currency ?? .credits }
        return UnknownName(currency, among: declared.currencies.union(added))
    }
}
