/// How strictly a server asks whether the certificates of signed data were revoked.
public enum RevocationMode: String, CaseIterable, Sendable {
    /// Nobody is asked.
    case off
    /// What was revoked is refused; when nobody can tell, the data counts all the same.
    case soft
    /// Data counts only when somebody who must know said lately that nothing was revoked; until then the answer is "try again".
    case hard
}
