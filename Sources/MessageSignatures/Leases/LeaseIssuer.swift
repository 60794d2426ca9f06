public import PurchaseModel
import PurchaseProof

/// Signs leases as JWTs with ES256 (RFC 7519).
public struct LeaseIssuer: Sendable {
    /// The type of the JWTs (`typ`), which distinguishes leases from other JWTs of the same key (RFC 8725, section 3.11): `lease+jwt`.
    public static let type = "lease+jwt"

    private let key: P256SigningKey

    /// Creates an issuer.
    public init(key: P256SigningKey) {
        self.key = key
    }

    /// Signs a lease.
    ///
    /// - Throws: ``LeaseError/malformed(place:)`` when a claim is empty, too long, not unique, or out of range;
    ///   ``LeaseError/tooLarge(limit:)`` when the JWT is larger than ``LeaseVerifier/maximumSize``; ``LeaseError/cannotSign``.
    public func issue(_ payload: LeasePayload) throws(LeaseError) -> SignedLease {
        try payload.validate()
        let text: String
        do { text = try BackendToken.sign(LeaseClaims(payload), type: Self.type, with: key.key) } catch { throw .cannotSign }
        guard text.utf8.count <= LeaseVerifier.maximumSize else { throw .tooLarge(limit: LeaseVerifier.maximumSize) }
        return SignedLease(text)
    }
}
