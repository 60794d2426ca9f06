import PurchaseModel
import PurchaseProof

/// Whether the server requests the revocation status of certificates, and whether the status is required.
public enum RevocationMode: String, CaseIterable, Sendable {
    /// The revocation status is not requested.
    case off
    /// Data with a revoked certificate is refused; an unavailable status is ignored.
    case soft
    /// Data with a revoked certificate is refused; an unavailable status makes the verification indeterminate, a retryable error.
    case hard
}

extension Revocation {
    /// Creates the revocation check of a mode, with OCSP requests over HTTP.
    init(_ mode: RevocationMode, clock: any WallClock) {
        switch mode {
        case .off: self = .off
        case .soft: self = .soft(RevocationChecker(transport: OCSPOverHTTP(), clock: clock))
        case .hard: self = .hard(RevocationChecker(transport: OCSPOverHTTP(), clock: clock))
        }
    }
}
