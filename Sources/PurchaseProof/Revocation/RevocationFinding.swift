import PurchaseModel

/// What is known about the revocation of a chain's certificates.
enum RevocationFinding: Equatable, Sendable {
    /// Leaf and intermediate were not revoked, according to answers that are good until then.
    case good(until: Timestamp)
    /// There is one certificate only, which nobody else vouches for.
    case alone
    /// The certificate at that place of the chain was revoked.
    case revoked(index: Int)
    /// Nobody could say about the certificate at that place of the chain.
    case doubt(Doubt.Reason, index: Int)
}
