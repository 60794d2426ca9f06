/// Whether and how strictly it is asked if a certificate was revoked.
public struct Revocation: Sendable {
    /// Nobody is asked.
    public static let off = Revocation()

    /// Throws when a certificate of the chain was revoked, or when that must be known and is not.
    func judge(_ chain: ProvenChain, place: String, trace: Trace?) async throws(Unproven) {
        trace?.skipped("revocation", "not asked", rule: "Revocation is switched off.")
    }
}
