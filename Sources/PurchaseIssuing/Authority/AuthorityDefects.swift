/// Defects of the certificates of an authority, for tests that expect a verifier to refuse what the authority signs.
///
/// Each defect concerns the chain for receipts and the chain for signed data, unless stated otherwise. An authority with
/// ``twoIntermediates``, ``p384SignedDataLeaf`` or ``rsaSignedDataLeaf`` cannot be restored from its ``CertificateAuthority/archive``.
package struct AuthorityDefects: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    // Defects of marker extensions.

    /// The leaf lacks Apple's marker extension for purchases.
    package static let leafWithoutMarker = AuthorityDefects(rawValue: 1)
    /// The intermediate lacks Apple's marker extension for intermediates.
    package static let intermediateWithoutMarker = AuthorityDefects(rawValue: 1 << 1)
    /// The leaf has the marker extension of an intermediate, and the intermediate has the marker extension of a leaf.
    package static let swappedMarkers = AuthorityDefects(rawValue: 1 << 4)

    // Defects of the period of validity.

    /// The leaf's validity ended the day before the authority was created.
    package static let expiredLeaf = AuthorityDefects(rawValue: 1 << 2)
    /// The leaf's validity begins the day after the authority was created.
    package static let notYetValidLeaf = AuthorityDefects(rawValue: 1 << 5)
    /// The intermediate's validity ended the day before the authority was created.
    package static let expiredIntermediate = AuthorityDefects(rawValue: 1 << 6)
    /// The root's validity ended the day before the authority was created.
    package static let expiredRoot = AuthorityDefects(rawValue: 1 << 7)

    // Defects of constraints and other extensions.

    /// The intermediate's basic constraints state that it is not a certificate authority.
    package static let intermediateIsNotCA = AuthorityDefects(rawValue: 1 << 8)
    /// The intermediate's key usage lacks `keyCertSign`.
    package static let intermediateWithoutKeyCertSign = AuthorityDefects(rawValue: 1 << 9)
    /// The leaf's key usage contains `keyEncipherment` instead of `digitalSignature`.
    package static let leafWithoutDigitalSignature = AuthorityDefects(rawValue: 1 << 10)
    /// The root's basic constraints state a maximum path length of 0, which permits no intermediate.
    package static let rootPathLengthZero = AuthorityDefects(rawValue: 1 << 11)
    /// The leaf has an unknown critical extension.
    package static let unknownCriticalExtension = AuthorityDefects(rawValue: 1 << 12)

    // Defects of keys, and of the links between certificates.

    /// The signing key does not match the leaf's public key.
    package static let wrongKey = AuthorityDefects(rawValue: 1 << 3)
    /// The leaf names the intermediate as its issuer, but an unknown key signed it.
    package static let leafSignedByUnknownIssuer = AuthorityDefects(rawValue: 1 << 13)
    /// The intermediate names the root as its issuer, but an unknown key signed it.
    package static let intermediateSignedByUnknownIssuer = AuthorityDefects(rawValue: 1 << 14)
    /// The root certificate is not self-signed, because an unknown authority issued it.
    package static let rootNotSelfSigned = AuthorityDefects(rawValue: 1 << 15)
    /// The chain has a second intermediate between the intermediate and the leaf, so it has four certificates.
    ///
    /// The number of certificates is the only defect: both intermediates have the marker extension, and the first one's maximum path length
    /// permits the second one.
    package static let twoIntermediates = AuthorityDefects(rawValue: 1 << 16)
    /// The leaf of the chain for signed data has a P-384 key instead of a P-256 key.
    package static let p384SignedDataLeaf = AuthorityDefects(rawValue: 1 << 17)
    /// The leaf of the chain for signed data has an RSA key instead of a P-256 key.
    package static let rsaSignedDataLeaf = AuthorityDefects(rawValue: 1 << 18)
}
