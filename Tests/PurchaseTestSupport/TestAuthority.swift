package import PurchaseIssuing
package import PurchaseModel
package import PurchaseProof
import Synchronization

/// A certificate authority for tests. It is created once per process, because RSA key generation is slow.
package struct TestAuthority: Sendable {
    /// The authority that signs.
    package let authority: CertificateAuthority
    private let keys: AuthorityKeys

    /// The authority that tests trust.
    package static let shared = made(named: "Tests")
    /// Another authority, whose root tests do not trust.
    package static let other = made(named: "Strangers")

    /// Creates an authority with the same keys and names and with defective certificates. Its roots are new; trust them with ``roots``.
    package func defective(
        _ defects: AuthorityDefects, generation: ReceiptGeneration = .sha256, ocspURL: String? = nil
    ) throws -> TestAuthority {
        let authority = try CertificateAuthority(
            name: "Tests", now: .testStart, keys: keys, defects: defects, generation: generation, ocspURL: ocspURL
        )
        return TestAuthority(authority: authority, keys: keys)
    }

    /// Apple's roots, and this authority's root for the sandbox.
    package var roots: TrustedRoots {
        get throws { try .apple(and: authority.rootsPEM, in: [.sandbox]) }
    }

    /// The issuer of receipts.
    package var receipts: ReceiptIssuer { ReceiptIssuer(authority: authority) }

    /// The issuer of signed transactions, renewal info and notifications.
    package var signedData: SignedDataIssuer { SignedDataIssuer(authority: authority) }

    /// A verifier that trusts this authority in the sandbox, for one app.
    package func verifier(for bundleID: BundleID = .test) throws -> SignedDataVerifier {
        SignedDataVerifier(roots: try roots, bundleID: bundleID, environments: [.sandbox])
    }

    /// A verifier that trusts this authority in the sandbox, for one app.
    package func receiptVerifier(for bundleID: BundleID = .test) throws -> ReceiptVerifier {
        ReceiptVerifier(roots: try roots, BundleCheck(bundleID), EnvironmentCheck([.sandbox]))
    }

    /// The authority of StoreKit testing in Xcode, created once per process.
    package static let xcode: XcodeAuthority = {
        do {
            return try XcodeAuthority(now: .testStart)
        } catch {
            fatalError("Keys for tests can't be made: \(error)")
        }
    }()

    private static func made(named name: String) -> TestAuthority {
        do {
            let keys = try AuthorityKeys()
            return TestAuthority(authority: try CertificateAuthority(name: name, now: .testStart, keys: keys, defects: []), keys: keys)
        } catch {
            fatalError("Keys for tests can't be made: \(error)")
        }
    }
}
