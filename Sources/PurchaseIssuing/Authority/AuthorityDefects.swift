/// Defects that an authority can be created with, for tests that expect a refusal.
///
/// Each concerns both chains unless stated otherwise. An authority with a longer chain or another kind of key has no
/// ``CertificateAuthority/archive`` that could be read again.
package struct AuthorityDefects: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    // Markers.

    /// The leaf lacks the marker for purchases.
    package static let noLeafMarker = AuthorityDefects(rawValue: 1)
    /// The intermediate lacks its marker.
    package static let noIntermediateMarker = AuthorityDefects(rawValue: 1 << 1)
    /// The leaf carries the intermediate's marker and the intermediate the leaf's.
    package static let swappedMarkers = AuthorityDefects(rawValue: 1 << 4)

    // Times.

    /// The leaf's validity ended the day before the authority was made.
    package static let expiredLeaf = AuthorityDefects(rawValue: 1 << 2)
    /// The leaf's validity begins the day after the authority was made.
    package static let notYetValidLeaf = AuthorityDefects(rawValue: 1 << 5)
    /// The intermediate's validity ended the day before the authority was made.
    package static let expiredIntermediate = AuthorityDefects(rawValue: 1 << 6)
    /// The root's validity ended the day before the authority was made.
    package static let expiredRoot = AuthorityDefects(rawValue: 1 << 7)

    // What certificates allow.

    /// The intermediate's basic constraints say that it is no certificate authority.
    package static let intermediateNoAuthority = AuthorityDefects(rawValue: 1 << 8)
    /// The intermediate's key usage lacks `keyCertSign`.
    package static let intermediateMayNotCertify = AuthorityDefects(rawValue: 1 << 9)
    /// The leaf's key usage lacks `digitalSignature`; it has `keyEncipherment`.
    package static let leafMayNotSign = AuthorityDefects(rawValue: 1 << 10)
    /// The root's path length is 0, which allows no intermediate under it.
    package static let rootPathTooShort = AuthorityDefects(rawValue: 1 << 11)
    /// The leaf has an unknown critical extension.
    package static let unknownCriticalExtension = AuthorityDefects(rawValue: 1 << 12)

    // Keys and links.

    /// The signing key is not the one that the leaf certifies.
    package static let wrongKey = AuthorityDefects(rawValue: 1 << 3)
    /// The leaf was signed by a stranger's intermediate of the same name.
    package static let strangersLeaf = AuthorityDefects(rawValue: 1 << 13)
    /// The intermediate was signed by a stranger's root of the same name.
    package static let strangersIntermediate = AuthorityDefects(rawValue: 1 << 14)
    /// Somebody else issued the certificate that stands at the place of the root.
    package static let rootNotSelfSigned = AuthorityDefects(rawValue: 1 << 15)
    /// A second intermediate stands between the intermediate and the leaf, so that there are four certificates.
    ///
    /// The first one's path length allows it, and both carry the marker: the number is all that is wrong.
    package static let longChain = AuthorityDefects(rawValue: 1 << 16)
    /// The leaf for signed data has a P-384 key.
    package static let p384SignedDataLeaf = AuthorityDefects(rawValue: 1 << 17)
    /// The leaf for signed data has an RSA key.
    package static let rsaSignedDataLeaf = AuthorityDefects(rawValue: 1 << 18)
}
