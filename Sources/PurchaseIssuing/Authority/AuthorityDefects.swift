/// Defects that an authority can be created with, for tests that expect a refusal.
///
/// Each defect concerns both chains unless stated otherwise. An authority with a longer chain or with another kind of key cannot be
/// restored from its ``CertificateAuthority/archive``.
package struct AuthorityDefects: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    // Markers.

    /// The leaf lacks the marker for purchases.
    package static let leafWithoutMarker = AuthorityDefects(rawValue: 1)
    /// The intermediate lacks its marker.
    package static let intermediateWithoutMarker = AuthorityDefects(rawValue: 1 << 1)
    /// The leaf carries the intermediate's marker and the intermediate the leaf's.
    package static let swappedMarkers = AuthorityDefects(rawValue: 1 << 4)

    // Times.

    /// The leaf's validity ended the day before the authority was created.
    package static let expiredLeaf = AuthorityDefects(rawValue: 1 << 2)
    /// The leaf's validity begins the day after the authority was created.
    package static let notYetValidLeaf = AuthorityDefects(rawValue: 1 << 5)
    /// The intermediate's validity ended the day before the authority was created.
    package static let expiredIntermediate = AuthorityDefects(rawValue: 1 << 6)
    /// The root's validity ended the day before the authority was created.
    package static let expiredRoot = AuthorityDefects(rawValue: 1 << 7)

    // Permissions of certificates.

    /// The intermediate's basic constraints state that it is not a certificate authority.
    package static let intermediateIsNotCA = AuthorityDefects(rawValue: 1 << 8)
    /// The intermediate's key usage lacks `keyCertSign`.
    package static let intermediateWithoutKeyCertSign = AuthorityDefects(rawValue: 1 << 9)
    /// The leaf's key usage lacks `digitalSignature`; it has `keyEncipherment`.
    package static let leafWithoutDigitalSignature = AuthorityDefects(rawValue: 1 << 10)
    /// The root's path length is 0, which permits no intermediate.
    package static let rootPathLengthZero = AuthorityDefects(rawValue: 1 << 11)
    /// The leaf has an unknown critical extension.
    package static let unknownCriticalExtension = AuthorityDefects(rawValue: 1 << 12)

    // Keys and links.

    /// The signing key does not match the leaf's public key.
    package static let wrongKey = AuthorityDefects(rawValue: 1 << 3)
    /// The leaf is signed by the intermediate of another authority, which has the same name.
    package static let leafSignedByUnknownIssuer = AuthorityDefects(rawValue: 1 << 13)
    /// The intermediate is signed by the root of another authority, which has the same name.
    package static let intermediateSignedByUnknownIssuer = AuthorityDefects(rawValue: 1 << 14)
    /// The certificate in the root's place is issued by another authority.
    package static let rootNotSelfSigned = AuthorityDefects(rawValue: 1 << 15)
    /// The chain has a second intermediate between the intermediate and the leaf, and so four certificates.
    ///
    /// The first intermediate's path length permits the second one, and both carry the marker: the number of certificates is the only
    /// defect.
    package static let twoIntermediates = AuthorityDefects(rawValue: 1 << 16)
    /// The leaf for signed data has a P-384 key.
    package static let p384SignedDataLeaf = AuthorityDefects(rawValue: 1 << 17)
    /// The leaf for signed data has an RSA key.
    package static let rsaSignedDataLeaf = AuthorityDefects(rawValue: 1 << 18)
}
