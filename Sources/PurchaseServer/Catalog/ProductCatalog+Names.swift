import PurchaseModel

/// The entitlements and currencies that a backend can grant in addition to those of the products.
struct DeclaredNames: Hashable, Sendable {
    /// The entitlements that no product gives, such as `beta`.
    var entitlements: Set<EntitlementName> = []
    /// The currencies in which no product gives credits.
    var currencies: Set<CurrencyID> = []
}

/// A name in a grant that neither a product nor the configuration declares, with the most similar known name.
struct UnknownName: Hashable, Sendable {
    /// The name in the grant.
    let name: String
    /// The most similar known name.
    let nearest: String

    /// Creates a value for an unknown name; nil for a known name, and nil without known names.
    ///
    /// A server without products has no known names, and can't detect a misspelled name.
    fileprivate init?<Name: WireIdentifier>(_ name: Name, among known: Set<Name>) {
        guard !known.isEmpty, !known.contains(name) else { return nil }
        self.name = name.rawValue
        nearest = ConfigurationKeys.nearest(to: name.rawValue, among: known.sorted().map(\.rawValue))
    }
}

extension ProductCatalog {
    /// Returns an entitlement's name, with the most similar known name, if neither a product nor the configuration declares the name.
    func unknown(_ name: EntitlementName) -> UnknownName? {
        guard !declared.entitlements.contains(name) else { return nil }
        let given = products.flatMap { entitlements(of: $0.id) }
        return UnknownName(name, among: declared.entitlements.union(given))
    }

    /// Returns a currency's name, with the most similar known name, if neither a product nor the configuration declares the name.
    func unknown(_ currency: CurrencyID) -> UnknownName? {
        guard !declared.currencies.contains(currency) else { return nil }
        let added = products.filter { $0.credits != nil }.map { $0.currency ?? .credits }
        return UnknownName(currency, among: declared.currencies.union(added))
    }
}
