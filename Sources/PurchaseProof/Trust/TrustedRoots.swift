public import PurchaseModel
import SwiftASN1
import X509

/// The trusted root certificates, and the environments in which each is trusted.
///
/// Roots are identified by their fingerprints. Receipts and signed data carry their root. It is accepted when its fingerprint is in the
/// set *and* it is trusted in the environment that the data states. So data that chains to a local store's root is never accepted as
/// production data. A configured root need not be part of the data.
///
/// A set has a verified-chain cache that its copies share. The caches of Apple's roots are shared by all sets. A lookup in the cache
/// compares bytes and takes no lock.
public struct TrustedRoots: Sendable {
    let roots: [TrustedRoot]

    /// Apple's roots, pinned by their SHA-256 fingerprints and trusted in production and the sandbox.
    public static let apple = TrustedRoots(roots: [
        TrustedRoot(.appleRootCA, in: [.production, .sandbox]),
        TrustedRoot(.appleRootCAG3, in: [.production, .sandbox]),
    ])

    /// Apple's roots and every certificate of a PEM text, which are trusted in `environments` only.
    ///
    /// - Throws: The errors of ``trusting(_:in:)``.
    public static func apple(and pem: String, in environments: Set<AppEnvironment>) throws(TrustError) -> TrustedRoots {
        try apple.trusting(pem, in: environments)
    }

    /// These roots and every certificate of a PEM text, which are trusted in `environments` only.
    ///
    /// For data of StoreKit testing, pass the certificate that Xcode saves ("Save Public Certificate") and `[.xcode]`: in that environment
    /// the certificate is self-signed, without intermediate and markers.
    ///
    /// - Throws: ``TrustError/productionTrustsAppleOnly`` when production is among the environments, and
    ///   ``TrustError/notARoot(reason:)`` when the text contains no certificate, or anything except
    ///   self-signed certificates.
    public func trusting(_ pem: String, in environments: Set<AppEnvironment>) throws(TrustError) -> TrustedRoots {
        guard !environments.contains(.production) else { throw .productionTrustsAppleOnly }
        return try adding(pem, in: environments)
    }

    /// Apple's roots and the root of a local store, which is trusted in production, too, because the store signs and verifies
    /// production data.
    ///
    /// - Throws: ``TrustError/notARoot(reason:)``.
    package static func localStore(_ pem: String) throws(TrustError) -> TrustedRoots {
        try apple.adding(pem, in: [.production, .sandbox])
    }

    private func adding(_ pem: String, in environments: Set<AppEnvironment>) throws(TrustError) -> TrustedRoots {
        guard let documents = try? PEMDocument.parseMultiple(pemString: pem), !documents.isEmpty else {
            throw .notARoot(reason: "The text contains no certificate in PEM form.")
        }
        var all = self
        for document in documents {
            guard document.discriminator == Certificate.defaultPEMDiscriminator,
                let certificate = try? ParsedCertificate(document.derBytes, at: "configuration")
            else { throw .notARoot(reason: "The text contains something other than certificates.") }
            guard certificate.isNamed(asIssuerOf: certificate), certificate.signed(certificate) else {
                throw .notARoot(reason: "A certificate of the text is not self-signed.")
            }
            all = all.adding(TrustedRoot(certificate, in: environments))
        }
        return all
    }

    /// These roots and the certificate that signs receipts in StoreKit testing, which is trusted in Xcode's environment only.
    ///
    /// Certificate and private key are the same in every Xcode, so anyone can sign with it. Accept it in development only. It is pinned by
    /// its fingerprint, FF:0B:A3:6E:…:64:FE.
    public func acceptingXcode() -> TrustedRoots {
        adding(TrustedRoot(.storeKitTest, in: [.xcode]))
    }

    /// Whether the set contains other roots than Apple's.
    ///
    /// A production server refuses such a set.
    public var hasFurtherRoots: Bool {
        Set(roots.map(\.fingerprint)) != Set(Self.apple.roots.map(\.fingerprint))
    }

    /// A chain of the verified-chain cache whose root is trusted in an environment and that was valid at a time; nil when there is none.
    ///
    /// - Parameters:
    ///   - environment: The environment that the signed data states.
    ///   - time: The time of signing that it states.
    ///   - matches: Whether the data's certificates are those of the chain, byte for byte.
    func cachedChain(in environment: AppEnvironment, at time: Timestamp, where matches: (VerifiedChain) -> Bool) -> VerifiedChain? {
        let time = time.wholeSeconds
        for root in roots where root.isTrusted(in: environment) {
            let chain = root.cache.first { chain in
                chain.validity.contains(time) && chain.hasLength(for: environment) && matches(chain)
            }
            if let chain { return chain }
        }
        return nil
    }

    /// Verifies that the signer's certificate chains through exactly one intermediate to a root that is trusted in an environment, that
    /// both have their markers, and that all three were valid at a time.
    ///
    /// In Xcode's environment the signer's certificate may be the root, if it is the only certificate. ``ChainDiagnosis`` finds the reason
    /// of a refusal. Certificates that can't be parsed are refused first.
    ///
    /// - Parameters:
    ///   - signer: The certificate whose key signed the data, as DER.
    ///   - others: The other certificates of the data, the root among them, in any order.
    ///   - environment: The environment that the signed data states.
    ///   - time: The time of signing that it states.
    ///   - place: The place of the certificates in the data. Refusals name the signer's as `place[0]`, the others as `place[1]` and so on.
    /// - Returns: The chain, from the verified-chain cache when the certificates are exactly leaf, intermediate and root.
    func verifyChain(
        _ signer: [UInt8], through others: [[UInt8]], in environment: AppEnvironment, at time: Timestamp, place: String, trace: Trace?
    ) async throws(VerificationFailure) -> VerifiedChain {
        do throws(Refusal) {
            let trusted = roots.filter { $0.isTrusted(in: environment) }
            let verification = try ChainVerification(signer, others, to: trusted, in: environment, at: time, place: place)
            return try await verification.run(trace: trace)
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

extension TrustedRoots {
    /// The issuers of the certificates that sign transaction receipts: Apple's intermediates where Apple's root is trusted, and the
    /// configured roots.
    func transactionIssuers(in environment: AppEnvironment) -> [TransactionIssuer] {
        roots.filter { $0.isTrusted(in: environment) }.flatMap { root in
            if root.fingerprint == .appleRootCA { return AppleIntermediates.all }
            let certificate = root.certificate.flatMap { TransactionIssuer($0.encoded, title: "a configured root") }
            return certificate.map { [$0] } ?? []
        }
    }
}

/// An error of creating a set of trusted roots.
public enum TrustError: Error, Equatable, Sendable {
    /// In production only Apple's roots can be trusted.
    case productionTrustsAppleOnly
    /// The text contains no certificate, or something that is not a root certificate.
    case notARoot(reason: String)
}
