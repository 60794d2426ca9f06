import PurchaseModel
package import PurchaseProtocol

extension StoreDescription {
    /// Describes a store at the base URL of its host.
    init(_ store: LocalAppStore, _ base: String, name: String?) {
        self.init(
            url: name.map { "\(base)/stores/\($0)" } ?? base, name: name ?? "default", rootCertificate: store.rootsPEM,
            apiKey: store.apiKey.privateKeyPEM, keyID: store.apiKey.keyID, issuerID: store.apiKey.issuerID,
            bundleID: store.ledger.apps.defaultBundleID,
            appAppleID: store.ledger.apps[store.ledger.apps.defaultBundleID]?.row.appAppleID ?? 0
        )
    }

    /// Describes a store at the base URL of its host.
    package static func of(_ store: LocalAppStore, at base: String) -> StoreDescription {
        StoreDescription(store, base, name: nil)
    }
}
