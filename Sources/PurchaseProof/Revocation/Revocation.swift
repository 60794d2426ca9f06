import PurchaseModel

/// Whether the revocation status of certificates is requested, and whether it is required.
///
/// Data that was signed with a revoked certificate is refused regardless of its time of signing, because the holder of a stolen key
/// can state any time.
public enum Revocation: Sendable {
    /// The revocation status is not requested.
    case off
    /// Data is refused when a certificate is revoked, and verified when its status is unavailable.
    case soft(RevocationChecker)
    /// Data is refused when a certificate is revoked, and the verification is indeterminate when its status is unavailable.
    ///
    /// Responders do not keep the status of expired certificates, so the verification of data that they signed is indeterminate, too.
    case hard(RevocationChecker)

    /// Throws when a certificate of the chain is revoked, or when its status is required and unavailable.
    ///
    /// - Parameter place: The place of the certificates in the data. Errors name the leaf's as `place[0]`, the intermediate's as `place[1]`.
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
            trace?.passed("revocation", "not revoked, valid until \(until)", rule: "No certificate of the chain is revoked.")
        case .notApplicable:
            trace?.skipped("revocation", "not requested", rule: "A self-signed certificate has no issuer that could revoke it.")
        case .revoked(let index):
            let detail = "It is the \(ChainDefect.role(index)). The time of signing is not considered."
            throw .refused(Refusal(.revoked, at: "\(place)[\(index)]", detail))
        case .unavailable(let reason, let index):
            let indeterminacy = Indeterminacy(reason, at: "\(place)[\(index)]")
            if isRequired { throw .indeterminate(indeterminacy) }
            trace?.indeterminate("revocation", indeterminacy.message, rule: "The revocation status is requested and not required.")
        }
    }
}

/// The revocation status of a chain's certificates.
enum RevocationStatus: Equatable, Sendable {
    /// Leaf and intermediate are not revoked, according to responses that are valid until this time.
    case good(until: Timestamp)
    /// The certificate is self-signed, and no issuer could revoke it.
    case notApplicable
    /// The certificate at that index of the chain is revoked.
    case revoked(index: Int)
    /// The status of the certificate at that index of the chain is unavailable.
    case unavailable(Indeterminacy.Reason, index: Int)
}
