package import SwiftASN1
import X509

/// Apple's marker extensions, by which a chain says what it signs: without them every developer certificate of Apple would do.
package enum Marker {
    /// In the certificate that signs receipts and signed data.
    package static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// In the Worldwide Developer Relations certificate between it and the root.
    package static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    /// Whether a certificate carries that marker.
    ///
    /// What the extension holds is not judged: a NULL in Apple's certificates, an empty string in those that Apple's libraries are
    /// tested with. The issuer's signature covers it either way.
    static func isPresent(_ marker: ASN1ObjectIdentifier, in certificate: Certificate) -> Bool {
        certificate.extensions[oid: marker] != nil
    }
}
