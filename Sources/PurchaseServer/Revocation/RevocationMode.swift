/// Whether the server requests the revocation status of certificates, and whether the status is required.
public enum RevocationMode: String, CaseIterable, Sendable {
    /// The revocation status is not requested.
    case off
    /// Data with a revoked certificate is refused; an unavailable status is ignored.
    case soft
    /// Data with a revoked certificate is refused; an unavailable status makes the verification indeterminate, a retryable error.
    case hard
}
