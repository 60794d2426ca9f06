/// Whether and how strictly it is asked if a certificate was revoked.
///
/// A revoked certificate is refused whatever the time of signing: that time is stated by whoever holds the key, and after a theft
/// that is the thief. An answer that nobody gives is neither a yes nor a no: it never makes data valid and never forged.
public enum Revocation: Sendable {
    /// Nobody is asked.
    case off
    /// Data is refused when a certificate was revoked, and verified when that can't be found out.
    case soft(RevocationChecker)
    /// Data is verified only when somebody who must know said lately that its certificates were not revoked, and unknown otherwise.
    ///
    /// Responders forget certificates that have expired, so data signed with those is unknown too.
    case hard(RevocationChecker)

    /// Throws when a certificate of the chain was revoked, or when that must be known and is not.
    ///
    /// - Parameter place: Where the certificates lie in the data; errors name them as `place[0]`, the signer's, and `place[1]`.
    func judge(_ chain: ProvenChain, place: String, trace: Trace?) async throws(Unproven) {
        switch self {
        case .off: trace?.skipped("revocation", "not asked", rule: "Revocation is switched off.")
        case .soft(let checker): try await judge(chain, by: checker, isHard: false, place: place, trace: trace)
        case .hard(let checker): try await judge(chain, by: checker, isHard: true, place: place, trace: trace)
        }
    }

    private func judge(
        _ chain: ProvenChain, by checker: RevocationChecker, isHard: Bool, place: String, trace: Trace?
    ) async throws(Unproven) {
        switch await checker.finding(for: chain) {
        case .good(let until):
            trace?.passed("revocation", "not revoked, believed until \(until)", rule: "No certificate of the chain may be revoked.")
        case .alone:
            trace?.skipped("revocation", "not asked", rule: "A certificate that vouches for itself has nobody who could revoke it.")
        case .revoked(let index):
            let detail = "The \(ChainFlaw.role(index)) was; when the data says it was signed does not matter then."
            throw .refused(Refusal(.revoked, at: "\(place)[\(index)]", detail))
        case .doubt(let reason, let index):
            let doubt = Doubt(reason, at: "\(place)[\(index)]")
            if isHard { throw .unknown(doubt) }
            trace?.unknown("revocation", doubt.sentence, rule: "Revocation is asked for and need not be answered.")
        }
    }
}
