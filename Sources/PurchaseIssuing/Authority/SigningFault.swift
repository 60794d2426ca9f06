/// Defects of a store's signatures under the same root, for tests that expect a refusal.
package enum SigningFault: String, CaseIterable, Codable, Sendable {
    /// The intermediate's validity ended the day before.
    case expiredIntermediate
    /// The leaf's validity ended the day before.
    case expiredLeaf
    /// The signature is valid, and ``OCSPResponder`` states that the leaf is revoked.
    case revokedLeaf
    /// The leaf lacks the marker for purchases.
    case leafWithoutMarker
    /// The intermediate lacks its marker.
    case intermediateWithoutMarker
    /// The intermediate is issued by another root of the same name, which is included.
    case wrongRoot
    /// `x5c` holds the intermediate before the leaf.
    case swappedChain
    /// The payload was changed after signing.
    case changedPayload
    /// The signing key does not match the leaf's public key.
    case wrongKey
    /// The header has no certificates.
    case noX5C
    /// The header names the algorithm `none`, and there is no signature.
    case algNone

    /// Whether a receipt can have the fault; a receipt's certificates have no order, and a receipt names no algorithm `none`.
    package var appliesToReceipts: Bool {
        switch self {
        case .swappedChain, .algNone: false
        case .expiredIntermediate, .expiredLeaf, .revokedLeaf, .leafWithoutMarker, .intermediateWithoutMarker, .wrongRoot,
            .changedPayload, .wrongKey, .noX5C:
            true
        }
    }
}
