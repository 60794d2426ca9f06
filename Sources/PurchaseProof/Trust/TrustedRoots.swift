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

    /// A chain that was proven before, whose root counts in that environment and which was valid at that time; nil when none is.
    ///
    /// - Parameters:
    ///   - environment: Where the signed data says it was made.
    ///   - time: When it says it was made.
    ///   - isSame: Whether the certificates at hand are those of the chain, byte for byte.
    func remembered(in environment: AppEnvironment, at time: Timestamp, where isSame: (ProvenChain) -> Bool) -> ProvenChain? {
        nil
    }

    /// Proves that a root which counts in that environment leads to the signer through exactly one intermediate, with both
    /// markers, and that all three were valid at that time.
    ///
    /// - Parameters:
    ///   - signer: The certificate whose key signed, as DER.
    ///   - others: The certificates that came with it, the root among them, in any order.
    ///   - environment: Where the signed data says it was made.
    ///   - time: When it says it was made.
    ///   - place: Where the certificates lie in the data.
    func prove(
        _ signer: [UInt8], through others: [[UInt8]], in environment: AppEnvironment, at time: Timestamp, place: String, trace: Trace?
    ) async throws(Unproven) -> ProvenChain {
        // The certificate library traps on years that a certificate cannot state, and this time is not proven yet.
        guard Self.judgeable.contains(time) else { throw .refused(Refusal(.validity, at: place, "It was signed at an impossible time.")) }
        guard let leaf = try? Certificate(derEncoded: signer) else { throw .refused(Refusal(.malformed, at: place)) }
        let others = others.compactMap { try? Certificate(derEncoded: $0) }
        let roots = others.filter { counts($0, in: environment) }
        guard !roots.isEmpty else { throw .refused(Refusal(.untrustedRoot, at: place)) }
        var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
            RFC5280Policy(fixedExpiryValidationTime: time.date)
            MarkerPolicy()
        }
        let intermediates = CertificateStore(others.filter { !roots.contains($0) })
        switch await verifier.validate(leaf: leaf, intermediates: intermediates) {
        case .validCertificate(let chain):
            let chain = Array(chain)
            guard let root = chain.last.flatMap(RootFingerprint.init) else { throw .refused(Refusal(.untrustedRoot, at: place)) }
            return ProvenChain(certificates: chain, encoded: [], root: root, validity: time...time)
        case .couldNotValidate: throw .refused(Refusal(.chain, at: place))
        }
    }

    private func counts(_ certificate: Certificate, in environment: AppEnvironment) -> Bool {
        guard let fingerprint = RootFingerprint(certificate) else { return false }
        return environments[fingerprint]?.contains(environment) ?? false
    }

    /// 1970 to 2100.
    private static let judgeable = Timestamp(milliseconds: 0)...Timestamp(milliseconds: 4_102_444_800_000)
}
