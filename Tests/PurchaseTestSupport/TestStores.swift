package import PurchaseIssuing
package import PurchaseModel
package import PurchaseProof

/// Certificate authorities of local stores, for tests.
package enum TestStores {
    /// The default URL of the OCSP responder in the certificates.
    package static let ocspURL = "http://127.0.0.1:8/ocsp"

    /// Creates the authority of a store. Each call creates a different authority, also for the same name.
    package static func authority(
        named name: String = "Tests", now: Timestamp = .testStart, ocspURL: String? = ocspURL
    ) throws -> CertificateAuthority {
        try CertificateAuthority(storeNamed: name, now: now, receiptKeys: .shared, ocspURL: ocspURL)
    }

    /// Apple's roots, and the authority's root for the sandbox.
    package static func roots(of authority: CertificateAuthority) throws -> TrustedRoots {
        try .apple(and: authority.rootsPEM, in: [.sandbox])
    }
}
