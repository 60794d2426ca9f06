import PurchaseModel
package import StoreProtocol

extension StoreDescription {
    /// Creates the description of a store.
    ///
    /// - Parameters:
    ///   - base: The URL at which clients reach the host, without a slash at the end.
    ///   - name: The name of the store; nil for the default store of the host.
    init(_ store: LocalAppStore, _ base: String, name: String?) {
        self.init(
            url: name.map { "\(base)/stores/\($0)" } ?? base, name: name ?? Self.defaultName, rootCertificate: store.rootsPEM,
            apiKey: store.apiKey.privateKeyPEM, keyID: store.apiKey.keyID, issuerID: store.apiKey.issuerID,
            bundleID: store.context.apps.defaultBundleID,
            appAppleID: store.context.apps[store.context.apps.defaultBundleID]?.row.appAppleID ?? 0
        )
    }

    /// Returns the description of the default store of a host.
    ///
    /// - Parameter base: The URL at which clients reach the host, without a slash at the end.
    package static func of(_ store: LocalAppStore, at base: String) -> StoreDescription {
        StoreDescription(store, base, name: nil)
    }
}
