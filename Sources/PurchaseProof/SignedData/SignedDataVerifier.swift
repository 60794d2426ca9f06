public import PurchaseModel

/// Turns signed data into facts, or says what is wrong with it.
///
/// The chain in the header is judged at the date that the payload states and for the environment that it states, as with Apple's
/// own libraries when they do not ask Apple online. A payload without a date is refused, where those libraries take the present:
/// the same bytes would be good today and bad tomorrow, and nobody could say which of two statements is the later one.
///
/// The order is: read the compact form and the payload, prove the chain, check the signature, ask whether a certificate was
/// revoked, and only then ask what the payload says. A chain that was proven before is remembered by its roots; then all of it
/// is done without waiting.
public struct SignedDataVerifier: Sendable {
    private let roots: TrustedRoots
    private let revocation: Revocation
    private let checks: [any SignedDataCheck]

    /// Creates a verifier.
    ///
    /// Taking the first check apart from the rest makes a verifier that checks nothing impossible to write.
    public init(
        roots: TrustedRoots, revocation: Revocation = .off, _ first: any SignedDataCheck, _ rest: any SignedDataCheck...
    ) {
        self.init(roots: roots, revocation: revocation, first, and: rest)
    }

    /// Creates a verifier whose further checks are in an array.
    public init(
        roots: TrustedRoots, revocation: Revocation = .off, _ first: any SignedDataCheck, and rest: [any SignedDataCheck]
    ) {
        self.roots = roots
        self.revocation = revocation
        checks = [first] + rest
    }

    /// Creates a verifier for one app, which accepts data of `environments` only.
    public init(roots: TrustedRoots, revocation: Revocation = .off, bundleID: BundleID, environments: Set<AppEnvironment>) {
        self.init(roots: roots, revocation: revocation, EnvironmentCheck(environments), BundleCheck(bundleID))
    }

    /// Throws unless a root that counts vouches for the signer, the signer signed the payload, and it passes the checks.
    func prove(_ jws: CompactJWS, _ claims: SignedDataClaims, trace: Trace?) async throws(Unproven) {
        guard let environment = AppEnvironment(rawValue: claims.environment) else {
            throw .refused(Refusal(.untrustedRoot, at: "header.x5c", "No root counts for the environment that it claims."))
        }
        guard !jws.isAlone || environment == .xcode else {
            throw .refused(Refusal(.chain, at: "header.x5c", "A certificate that comes alone is Xcode's."))
        }
        let chain = try await chain(of: jws, in: environment, at: claims.signedDate, trace: trace)
        guard jws.isSigned(by: chain.key) else { throw .refused(Refusal(.signature, at: "signature")) }
        trace?.passed("signature", "64 bytes", rule: "The signer's key signed header and payload with ES256.")
        try await revocation.judge(chain, place: "header.x5c", trace: trace)
        do throws(Refusal) {
            for check in checks {
                try check.examine(claims)
                trace?.passed(check.name, check.saw(claims), rule: check.rule)
            }
        } catch { throw .refused(error) }
    }

    private func chain(
        of jws: CompactJWS, in environment: AppEnvironment, at time: Timestamp, trace: Trace?
    ) async throws(Unproven) -> ProvenChain {
        // Who asks for an explanation wants to see the proof, not the memory of it.
        if trace == nil, let chain = roots.remembered(in: environment, at: time, where: jws.carries) { return chain }
        let encoded: [[UInt8]]
        do { encoded = try jws.encodedCertificates() } catch { throw .refused(error) }
        return try await roots.prove(
            encoded[0], through: Array(encoded.dropFirst()), in: environment, at: time, place: "header.x5c", trace: trace
        )
    }
}
