/// What can be wrong with a signature of a store, whose root stays the same; for tests that want to see it refused.
package enum SigningFault: String, CaseIterable, Codable, Sendable {
    /// The intermediate's validity ended the day before.
    case expiredIntermediate
    /// The leaf's validity ended the day before.
    case expiredLeaf
    /// Everything is in order, but whoever asks ``OCSPResponder`` is told that the leaf was revoked.
    case revokedLeaf
    /// The leaf lacks the marker for purchases.
    case leafWithoutMarker
    /// The intermediate lacks its marker.
    case intermediateWithoutMarker
    /// Another root of the same name, which comes along, vouches for the intermediate.
    case wrongRoot
    /// `x5c` holds the intermediate before the leaf.
    case swappedChain
    /// The payload is not the one that was signed.
    case changedPayload
    /// The key that signs is not the one that the leaf certifies.
    case wrongKey
    /// No certificates come along.
    case noX5C
    /// The header names the algorithm `none`, and there is no signature.
    case algNone

    /// Whether receipts can be signed so; a receipt's certificates have no order, and it names no algorithm `none`.
    package var concernsReceipts: Bool {
        switch self {
        case .swappedChain, .algNone: false
        case .expiredIntermediate, .expiredLeaf, .revokedLeaf, .leafWithoutMarker, .intermediateWithoutMarker, .wrongRoot,
            .changedPayload, .wrongKey, .noX5C:
            true
        }
    }
}
