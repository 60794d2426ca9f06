import Foundation
public import PurchaseModel
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// The root certificates that may vouch for signed data, and where each of them counts.
///
/// Roots are known by their fingerprints. Receipts and signed data carry their root with them; it is taken from there when its
/// fingerprint is one of these *and* it counts for the environment that the data claims. So a local store's root can never
/// vouch for production, whatever its data says.
public struct TrustedRoots: Sendable {
    private let environments: [RootFingerprint: Set<AppEnvironment>]

    /// Apple's roots, pinned by their SHA-256 fingerprints; good for production and the sandbox.
    public static let apple = TrustedRoots(environments: [
        .appleRootCA: [.production, .sandbox],
        .appleRootCAG3: [.production, .sandbox],
    ])

    /// Apple's roots and every certificate of a PEM text, which count in `environments` only.
    ///
    /// - Throws: ``TrustError/productionTrustsAppleOnly`` when production is among the environments, and
    ///   ``TrustError/notARoot(reason:)`` when the text holds no certificate, or anything but certificates that sign themselves.
    public static func apple(and pem: String, in environments: Set<AppEnvironment>) throws(TrustError) -> TrustedRoots {
        guard !environments.contains(.production) else { throw .productionTrustsAppleOnly }
        guard let documents = try? PEMDocument.parseMultiple(pemString: pem), !documents.isEmpty else {
            throw .notARoot(reason: "The text holds no certificate in PEM form.")
        }
        var all = apple.environments
        for document in documents {
            guard let certificate = try? Certificate(pemDocument: document), let fingerprint = RootFingerprint(certificate) else {
                throw .notARoot(reason: "The text holds something other than certificates.")
            }
            guard certificate.issuer == certificate.subject,
                certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
            else { throw .notARoot(reason: "A certificate of the text is not a root: another one signed it.") }
            all[fingerprint, default: []].formUnion(environments)
        }
        return TrustedRoots(environments: all)
    }

    /// Whether roots other than Apple's are among them; a production server refuses such a set altogether.
    public var hasFurtherRoots: Bool {
        Set(environments.keys) != Set(Self.apple.environments.keys)
    }

    /// Throws unless a root that counts in that environment leads to the signer through exactly one intermediate, with both
    /// markers, and all three were valid at that time.
    ///
    /// - Parameters:
    ///   - signer: The certificate whose key signed.
    ///   - others: The certificates that came with it, the root among them, in any order.
    ///   - environment: Where the signed data says it was made.
    ///   - time: When it says it was made.
    func vouch(
        for signer: Certificate, through others: [Certificate], in environment: AppEnvironment, at time: Timestamp
    ) async throws(UntrustedChain) {
        // The certificate library traps on years that a certificate cannot state, and this time is not proven yet.
        guard Self.judgeable.contains(time) else { throw UntrustedChain(reason: "It was signed at an impossible time.") }
        let roots = others.filter { counts($0, in: environment) }
        guard !roots.isEmpty else { throw UntrustedChain(reason: "It holds no root that counts for its environment.") }
        var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
            RFC5280Policy(fixedExpiryValidationTime: time.date)
            MarkerPolicy()
        }
        let intermediates = CertificateStore(others.filter { !roots.contains($0) })
        switch await verifier.validate(leaf: signer, intermediates: intermediates) {
        case .validCertificate: return
        case .couldNotValidate: throw UntrustedChain(reason: "No trusted root leads to its signer as of the time it was signed.")
        }
    }

    private func counts(_ certificate: Certificate, in environment: AppEnvironment) -> Bool {
        guard let fingerprint = RootFingerprint(certificate) else { return false }
        return environments[fingerprint]?.contains(environment) ?? false
    }

    /// 1970 to 2100.
    private static let judgeable = Timestamp(milliseconds: 0)...Timestamp(milliseconds: 4_102_444_800_000)
}
