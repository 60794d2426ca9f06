package import PurchaseIssuing
package import PurchaseModel
package import PurchaseProof

/// Stores' authorities of one root, for tests.
package enum TestStores {
    /// Where their certificates say that one can ask about them.
    package static let ocspURL = "http://127.0.0.1:8/ocsp"

    /// The authority of one store; another each time, whatever its name.
    package static func authority(
        named name: String = "Tests", now: Timestamp = .testStart, ocspURL: String? = ocspURL
    ) throws -> CertificateAuthority {
        try CertificateAuthority(storeNamed: name, now: now, receiptKeys: .shared, ocspURL: ocspURL)
    }

    /// Apple's roots, and that authority's for the sandbox.
    package static func roots(of authority: CertificateAuthority) throws -> TrustedRoots {
        try .apple(and: authority.rootsPEM, in: [.sandbox])
    }
}
