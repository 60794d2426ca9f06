public import PurchaseModel
import SwiftASN1
import X509

/// The root certificates that may vouch for signed data, and where each of them counts.
///
/// Roots are known by their fingerprints. Receipts and signed data carry their root with them; it is taken from there when its
/// fingerprint is one of these *and* it counts for the environment that the data claims. So a local store's root can never
/// vouch for production, whatever its data says. Roots that were configured need not come with the data.
///
/// A set remembers the chains that it has proven, and its copies share them; so do all sets for Apple's roots. What was proven
/// once costs a comparison of bytes from then on, without a lock and without asking anybody.
public struct TrustedRoots: Sendable {
    let roots: [TrustedRoot]

    /// Apple's roots, pinned by their SHA-256 fingerprints; good for production and the sandbox.
    public static let apple = TrustedRoots(roots: [
        TrustedRoot(.appleRootCA, in: [.production, .sandbox]),
        TrustedRoot(.appleRootCAG3, in: [.production, .sandbox]),
    ])

    /// Apple's roots and every certificate of a PEM text, which count in `environments` only.
    ///
    /// - Throws: What ``trusting(_:in:)`` throws.
    public static func apple(and pem: String, in environments: Set<AppEnvironment>) throws(TrustError) -> TrustedRoots {
        try apple.trusting(pem, in: environments)
    }

    /// These roots and every certificate of a PEM text, which count in `environments` only.
    ///
    /// For data of StoreKit testing this is the certificate that Xcode saves ("Save Public Certificate"), in `[.xcode]`: there a
    /// certificate vouches for itself, without intermediate and markers. Everywhere else its key signs an intermediate.
    ///
    /// - Throws: ``TrustError/productionTrustsAppleOnly`` when production is among the environments, and
    ///   ``TrustError/notARoot(reason:)`` when the text holds no certificate, or anything but certificates that sign themselves.
    public func trusting(_ pem: String, in environments: Set<AppEnvironment>) throws(TrustError) -> TrustedRoots {
        guard !environments.contains(.production) else { throw .productionTrustsAppleOnly }
        return try adding(pem, in: environments)
    }

    /// The root of a local store, which counts there for everything: a store has to know again what it signed itself, also what it
    /// sold as production.
    ///
    /// - Throws: ``TrustError/notARoot(reason:)``.
    package static func own(_ pem: String) throws(TrustError) -> TrustedRoots {
        try apple.adding(pem, in: [.production, .sandbox])
    }

    private func adding(_ pem: String, in environments: Set<AppEnvironment>) throws(TrustError) -> TrustedRoots {
        guard let documents = try? PEMDocument.parseMultiple(pemString: pem), !documents.isEmpty else {
            throw .notARoot(reason: "The text holds no certificate in PEM form.")
        }
        var all = self
        for document in documents {
            guard document.discriminator == Certificate.defaultPEMDiscriminator,
                let certificate = try? PlacedCertificate(document.derBytes, at: "configuration")
            else { throw .notARoot(reason: "The text holds something other than certificates.") }
            guard certificate.isNamed(asIssuerOf: certificate), certificate.signed(certificate) else {
                throw .notARoot(reason: "A certificate of the text is not a root: another one signed it.")
            }
            all = all.adding(TrustedRoot(certificate, in: environments))
        }
        return all
    }

    /// These roots and the certificate that signs receipts in StoreKit testing, which counts for Xcode's environment only.
    ///
    /// The certificate is the same in every Xcode, and so is its key: anybody can sign with it. Accept it where developers test,
    /// never where something is worth money. It is pinned by its fingerprint, FF:0B:A3:6E:…:64:FE.
    public func acceptingXcode() -> TrustedRoots {
        adding(TrustedRoot(.storeKitTest, in: [.xcode]))
    }

    /// Whether roots other than Apple's are among them; a production server refuses such a set altogether.
    public var hasFurtherRoots: Bool {
        Set(roots.map(\.fingerprint)) != Set(Self.apple.roots.map(\.fingerprint))
    }

    /// A chain that was proven before, whose root counts in that environment and which was valid at that time; nil when none is.
    ///
    /// - Parameters:
    ///   - environment: Where the signed data says it was made.
    ///   - time: When it says it was made.
    ///   - isSame: Whether the certificates at hand are those of the chain, byte for byte.
    func remembered(in environment: AppEnvironment, at time: Timestamp, where isSame: (ProvenChain) -> Bool) -> ProvenChain? {
        let time = time.wholeSeconds
        for root in roots where root.counts(in: environment) {
            let chain = root.proven.first { chain in
                chain.validity.contains(time) && chain.isOfForm(of: environment) && isSame(chain)
            }
            if let chain { return chain }
        }
        return nil
    }

    /// Proves that a root which counts in that environment leads to the signer through exactly one intermediate, with both
    /// markers, and that all three were valid at that time.
    ///
    /// In Xcode's environment a root may be the signer itself, if it comes alone. When it refuses, the reason is that of
    /// ``ChainDiagnosis``; certificates that can't be read are refused before anything else.
    ///
    /// - Parameters:
    ///   - signer: The certificate whose key signed, as DER.
    ///   - others: The certificates that came with it, the root among them, in any order.
    ///   - environment: Where the signed data says it was made.
    ///   - time: When it says it was made.
    ///   - place: Where the certificates lie in the data; refusals name them as `place[0]`, the signer's, `place[1]` and so on.
    /// - Returns: What was remembered, when the certificates are exactly leaf, intermediate and root and were proven before.
    func prove(
        _ signer: [UInt8], through others: [[UInt8]], in environment: AppEnvironment, at time: Timestamp, place: String, trace: Trace?
    ) async throws(Unproven) -> ProvenChain {
        do throws(Refusal) {
            let counting = roots.filter { $0.counts(in: environment) }
            let proof = try ChainProof(signer, others, to: counting, in: environment, at: time, place: place)
            return try await proof.run(trace: trace)
        } catch {
            throw .refused(error)
        }
    }

    private func adding(_ root: TrustedRoot) -> TrustedRoots {
        guard let index = roots.firstIndex(where: { $0.fingerprint == root.fingerprint }) else {
            return TrustedRoots(roots: roots + [root])
        }
        var roots = roots
        roots[index] = TrustedRoot(roots[index], and: root)
        return TrustedRoots(roots: roots)
    }
}
