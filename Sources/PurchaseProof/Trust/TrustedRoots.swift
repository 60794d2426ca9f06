public import PurchaseModel

/// The root certificates that may vouch for signed data, and where each of them counts.
public struct TrustedRoots: Sendable {
    /// Apple's roots, pinned by their SHA-256 fingerprints; good for production and the sandbox.
    public static let apple = TrustedRoots()

    /// Apple's roots and every certificate of a PEM text, which count in `environments` only.
    ///
    /// - Throws: ``TrustError/productionTrustsAppleOnly`` when production is among the environments.
    public static func apple(and pem: String, in environments: Set<AppEnvironment>) throws(TrustError) -> TrustedRoots {
        fatalError("stub")
    }
}
