public import PurchaseModel
import SwiftASN1
import X509

/// A set of trusted root certificates, each with the environments in which it is trusted.
///
/// The set identifies roots by their SHA-256 fingerprints. A root is accepted only for data that states one of the environments in which
/// the root is trusted. Data that chains to the root of a local store is therefore never accepted as production data. Receipts and signed
/// data contain the certificate of their root; the certificate of a configured root may be missing in the data.
///
/// Each root has a cache of the certificate chains that were verified with it. Copies of a set share the caches, and all sets share the
/// caches of Apple's roots. A lookup in a cache compares bytes and takes no lock.
public struct TrustedRoots: Sendable {
    let roots: [TrustedRoot]

    /// Apple's roots, pinned by their SHA-256 fingerprints and trusted in production and the sandbox.
    public static let apple = TrustedRoots(roots: [
        TrustedRoot(.appleRootCA, in: [.production, .sandbox]),
        TrustedRoot(.appleRootCAG3, in: [.production, .sandbox]),
    ])

    /// Returns Apple's roots together with the certificates of a PEM text, which are trusted in `environments` only.
    ///
    /// - Throws: ``TrustError/productionTrustsAppleOnly`` when `environments` contains production, and ``TrustError/notARoot(reason:)``
    ///   when the text contains no certificate, or anything other than self-signed certificates.
    public static func apple(and pem: String, in environments: Set<AppEnvironment>) throws(TrustError) -> TrustedRoots {
        try apple.trusting(pem, in: environments)
    }

    /// Returns these roots together with the certificates of a PEM text, which are trusted in `environments` only.
    ///
    /// To accept data of StoreKit testing in Xcode, pass the certificate that Xcode saves ("Save Public Certificate"), and `[.xcode]` as
    /// the environments. In Xcode's environment, a self-signed certificate without an intermediate and without marker extensions is
    /// accepted.
    ///
    /// - Throws: ``TrustError/productionTrustsAppleOnly`` when `environments` contains production, and ``TrustError/notARoot(reason:)``
    ///   when the text contains no certificate, or anything other than self-signed certificates.
    public func trusting(_ pem: String, in environments: Set<AppEnvironment>) throws(TrustError) -> TrustedRoots {
        guard !environments.contains(.production) else { throw .productionTrustsAppleOnly }
        return try adding(pem, in: environments)
    }

    /// Returns Apple's roots together with the root of a local store, which is trusted in the sandbox and in production.
    ///
    /// A local store uses these roots for its own verifications, because it also signs data for its production environment.
    ///
    /// - Throws: ``TrustError/notARoot(reason:)`` when the text contains no certificate, or anything other than self-signed certificates.
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
            else { throw .notARoot(reason: "The PEM text contains something other than valid certificates.") }
            guard certificate.isNamed(asIssuerOf: certificate), certificate.signed(certificate) else {
                throw .notARoot(reason: "A certificate in the PEM text is not self-signed, so it is not a root certificate.")
            }
            all = all.adding(TrustedRoot(certificate, in: environments))
        }
        return all
    }

    /// Returns these roots together with the certificate that signs receipts in StoreKit testing, which is trusted in Xcode's environment
    /// only.
    ///
    /// Every installation of Xcode contains the certificate with its private key, so anyone can sign with it. Accept it in development
    /// only. The certificate is identified by its SHA-256 fingerprint, FF:0B:A3:6E:…:64:FE.
    public func acceptingXcode() -> TrustedRoots {
        adding(TrustedRoot(.storeKitTest, in: [.xcode]))
    }

    /// Whether the set contains other roots than Apple's.
    ///
    /// A production server should refuse to start with other roots.
    public var hasFurtherRoots: Bool {
        Set(roots.map(\.fingerprint)) != Set(Self.apple.roots.map(\.fingerprint))
    }

    /// Returns the chain from the verified-chain cache that has the certificates of signed data; nil when the cache has no such chain.
    ///
    /// The root of the chain must be trusted in the environment, and all certificates of the chain must be valid at the time.
    ///
    /// - Parameters:
    ///   - environment: The environment of the data.
    ///   - time: The time of signing that the signed data states.
    ///   - matches: Returns whether the certificates of the signed data equal those of a chain, byte for byte.
    func cachedChain(
        in environment: DataEnvironment, at time: Timestamp, where matches: (VerifiedChain) -> Bool
    ) -> VerifiedChain? {
        let time = time.wholeSeconds
        for root in roots where environment.trusts(root) {
            let chain = root.cache.first { chain in
                chain.validity.contains(time) && chain.hasLength(for: environment) && matches(chain)
            }
            if let chain { return chain }
        }
        return nil
    }

    /// Verifies the chain from the signer's certificate through exactly one intermediate to a root that is trusted in `environment`.
    ///
    /// The signer's certificate and the intermediate must have Apple's marker extensions for purchases. All three certificates must have
    /// been valid at the time of signing. In Xcode's environment, a single certificate that is itself a trusted root is accepted, too.
    ///
    /// - Parameters:
    ///   - signer: The certificate whose key signed the data, as DER.
    ///   - others: The other certificates of the data as DER, in any order, usually including the root.
    ///   - environment: The environment of the data.
    ///   - time: The time of signing that the signed data states.
    ///   - place: The path of the certificates in the data, such as `header.x5c`. The place of a refusal has an index: 0 for the signer's
    ///     certificate, 1 for the first other certificate, and so on.
    ///   - trace: Records the steps for an explanation; nil for a verification without an explanation.
    /// - Returns: The verified chain. It is added to the verified-chain cache when the data has no additional certificates.
    /// - Throws: A refusal with the reason that ``ChainDiagnosis`` finds, or when a certificate is malformed.
    func verifyChain(
        _ signer: [UInt8], through others: [[UInt8]], in environment: DataEnvironment, at time: Timestamp, place: String, trace: Trace?
    ) async throws(VerificationFailure) -> VerifiedChain {
        do throws(Refusal) {
            let trusted = roots.filter(environment.trusts)
            let verification = try ChainVerification(signer, others, to: trusted, in: environment, at: time, place: place)
            return try await verification.run(trace: trace)
        } catch {
            throw .refused(error)
        }
    }

    /// Returns the environment of data with a verified chain; nil when it is unknown.
    func environment(of chain: VerifiedChain, in environment: DataEnvironment) -> AppEnvironment? {
        if case .known(let known) = environment { return known }
        guard let root = roots.first(where: { $0.fingerprint == chain.root }) else { return nil }
        let possible = DataEnvironment.unstated.filter(root.isTrusted)
        return possible.count == 1 ? possible.first : nil
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
    /// Returns the trusted issuers of the certificates that sign transaction receipts in an environment.
    ///
    /// The issuers are Apple's intermediates, if Apple's root is trusted in the environment, and the configured roots.
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
    /// The given environments contain production, in which only Apple's roots can be trusted.
    case productionTrustsAppleOnly
    /// The PEM text contains no certificate, or anything other than self-signed certificates; the value describes the error.
    case notARoot(reason: String)
}
