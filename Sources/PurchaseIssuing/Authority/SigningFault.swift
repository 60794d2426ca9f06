/// The faults that a local store can have when it signs receipts or signed data, for tests that expect a verifier to refuse the data.
package enum SigningFault: String, CaseIterable, Codable, Sendable {
    /// The validity of the intermediate ended a day ago.
    case expiredIntermediate
    /// The validity of the leaf ended a day ago.
    case expiredLeaf
    /// The signature is valid, and the ``OCSPResponder`` states that the leaf is revoked.
    case revokedLeaf
    /// The leaf lacks Apple's marker extension for purchases.
    case leafWithoutMarker
    /// The intermediate lacks Apple's marker extension for intermediates.
    case intermediateWithoutMarker
    /// The chain leads to an unknown root that has the same name as the store's root.
    case wrongRoot
    /// The member `x5c` contains the intermediate before the leaf.
    case swappedChain
    /// The payload was changed after signing.
    case changedPayload
    /// The signing key does not match the leaf's public key.
    case wrongKey
    /// The JWS header or the receipt contains no certificates.
    case noX5C
    /// The JWS header states the algorithm `none`, and the signature is empty.
    case algNone

    /// Whether a receipt can have the fault.
    ///
    /// Receipts cannot have ``swappedChain``, because the order of their certificates has no meaning, and cannot have ``algNone``, which
    /// exists in JWS only.
    package var appliesToReceipts: Bool {
        switch self {
        case .swappedChain, .algNone: false
        case .expiredIntermediate, .expiredLeaf, .revokedLeaf, .leafWithoutMarker, .intermediateWithoutMarker, .wrongRoot,
            .changedPayload, .wrongKey, .noX5C:
            true
        }
    }
}
