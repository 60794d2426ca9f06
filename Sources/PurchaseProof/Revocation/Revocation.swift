import PurchaseModel

/// The mode of a verifier for the revocation of certificates: whether it requests the revocation status, and whether it requires it.
///
/// Data that was signed with a revoked certificate is refused regardless of the time of signing, because the holder of a stolen key can
/// state any time.
public enum Revocation: Sendable {
    /// The verifier does not request the revocation status.
    case off
    /// The verifier refuses data when a certificate is revoked, and accepts it when the status of a certificate is unavailable.
    case soft(RevocationChecker)
    /// The verifier refuses data when a certificate is revoked; the verification is indeterminate when the status of a certificate is
    /// unavailable.
    ///
    /// The verification of old data is indeterminate, too, because OCSP responders do not keep the status of expired certificates.
    case hard(RevocationChecker)

    /// Verifies that no certificate of a chain is revoked, unless the mode is ``off``.
    ///
    /// - Parameters:
    ///   - chain: The chain of the data's certificates.
    ///   - place: The path of the certificates in the data, such as `header.x5c`. The place of a failure has the index of the certificate
    ///     in the chain: 0 for the leaf, and 1 for the intermediate.
    ///   - trace: Records the step for an explanation; nil for a verification without an explanation.
    /// - Throws: A refusal when a certificate is revoked, and an indeterminate failure when a required status is unavailable.
    func verify(_ chain: VerifiedChain, place: String, trace: Trace?) async throws(VerificationFailure) {
        switch self {
        case .off: trace?.skipped("revocation", "not requested", rule: "The revocation status is not requested.")
        case .soft(let checker): try await verify(chain, with: checker, isRequired: false, place: place, trace: trace)
        case .hard(let checker): try await verify(chain, with: checker, isRequired: true, place: place, trace: trace)
        }
    }

    private func verify(
        _ chain: VerifiedChain, with checker: RevocationChecker, isRequired: Bool, place: String, trace: Trace?
    ) async throws(VerificationFailure) {
        switch await checker.status(of: chain) {
        case .good(let until):
            trace?.passed("revocation", "not revoked, valid until \(until)", rule: "No certificate of the chain may be revoked.")
        case .notApplicable:
            trace?.skipped("revocation", "not requested", rule: "A self-signed certificate has no issuer that could revoke it.")
        case .revoked(let index):
            let detail = "The revoked certificate is the \(ChainDefect.role(index)). The time of signing is not considered."
            throw .refused(Refusal(.revoked, at: "\(place)[\(index)]", detail))
        case .unavailable(let reason, let index):
            let indeterminacy = Indeterminacy(reason, at: "\(place)[\(index)]")
            if isRequired { throw .indeterminate(indeterminacy) }
            trace?.indeterminate("revocation", indeterminacy.message, rule: "The revocation status is requested, but not required.")
        }
    }
}

/// The revocation status of the certificates of a chain.
enum RevocationStatus: Equatable, Sendable {
    /// The leaf and the intermediate are not revoked, according to responses that are valid until this time.
    case good(until: Timestamp)
    /// The chain is a single self-signed certificate, so there is no issuer that could revoke it.
    case notApplicable
    /// The certificate at this index of the chain is revoked; index 0 is the leaf.
    case revoked(index: Int)
    /// The status of the certificate at this index of the chain is unavailable for this reason; index 0 is the leaf.
    case unavailable(Indeterminacy.Reason, index: Int)
}
