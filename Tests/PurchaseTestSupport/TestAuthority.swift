package import PurchaseIssuing
package import PurchaseModel
package import PurchaseProof
import Synchronization

/// A certificate authority for tests, made once in a process because its RSA keys take time.
package struct TestAuthority: Sendable {
    /// What signs.
    package let authority: CertificateAuthority
    private let keys: AuthorityKeys

    /// The authority that tests trust.
    package static let shared = made(named: "Tests")
    /// Another one, whose root nobody trusts.
    package static let other = made(named: "Strangers")

    /// The same keys and names with something wrong about the certificates. Roots are new, so trust them by `roots`.
    package func defective(
        _ defects: AuthorityDefects, generation: ReceiptGeneration = .sha256, ocspURL: String? = nil
    ) throws -> TestAuthority {
        let authority = try CertificateAuthority(
            name: "Tests", now: .testStart, keys: keys, defects: defects, generation: generation, ocspURL: ocspURL
        )
        return TestAuthority(authority: authority, keys: keys)
    }

    /// Apple's roots, and this authority's for the sandbox.
    package var roots: TrustedRoots {
        get throws { try .apple(and: authority.rootsPEM, in: [.sandbox]) }
    }

    /// Signs receipts.
    package var receipts: ReceiptIssuer { ReceiptIssuer(authority: authority) }

    /// Signs transactions, renewal information and notifications.
    package var signedData: SignedDataIssuer { SignedDataIssuer(authority: authority) }

    /// A verifier that trusts this authority in the sandbox, for one app.
    package func verifier(for bundleID: BundleID = .test) throws -> SignedDataVerifier {
        SignedDataVerifier(roots: try roots, bundleID: bundleID, environments: [.sandbox])
    }

    /// A verifier that trusts this authority in the sandbox, for one app.
    package func receiptVerifier(for bundleID: BundleID = .test) throws -> ReceiptVerifier {
        ReceiptVerifier(roots: try roots, BundleCheck(bundleID), EnvironmentCheck([.sandbox]))
    }

    /// What signs in StoreKit testing, made once likewise.
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
