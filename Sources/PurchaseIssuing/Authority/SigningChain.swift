import SwiftASN1
import X509

/// The certificate chain of a key that signs receipts or signed data: leaf, intermediate and root.
struct SigningChain: Sendable {
    /// The certificate of the signing key.
    let leaf: Certificate
    /// A second intermediate between ``leaf`` and ``intermediate``; nil unless the chain has the defect
    /// ``AuthorityDefects/twoIntermediates``.
    let secondIntermediate: Certificate?
    /// The certificate that the root issued.
    let intermediate: Certificate
    /// The root certificate, which verifiers must trust.
    let root: Certificate

    /// All certificates in the order of signed data, from the leaf to the root.
    var certificates: [Certificate] { [leaf] + (secondIntermediate.map { [$0] } ?? []) + [intermediate, root] }

    /// Restores a chain from the certificates in an authority's archive.
    init(leaf: PEMDocument, intermediate: PEMDocument, root: PEMDocument) throws {
        self.leaf = try Certificate(pemDocument: leaf)
        self.secondIntermediate = nil
        self.intermediate = try Certificate(pemDocument: intermediate)
        self.root = try Certificate(pemDocument: root)
    }

    /// Creates a chain by issuing certificates for the keys of root, intermediate and leaf.
    ///
    /// - Parameters:
    ///   - builder: The builder of the certificates.
    ///   - keys: The private keys of the root and the intermediate, and the public key of the leaf.
    ///   - unknownIssuer: Returns a new key of the same kind as the intermediate's key, for the defects in which an unknown key signs.
    ///   - ocspURL: The URL of the OCSP responder, which the leaf and the intermediate state; nil for certificates without a URL.
    ///   - defects: The defects of the certificates, for tests; empty for valid certificates.
    init(
        _ builder: CertificateBuilder,
        keys: (root: Certificate.PrivateKey, intermediate: Certificate.PrivateKey, leaf: Certificate.PublicKey),
        unknownIssuer: () throws -> Certificate.PrivateKey, ocspURL: String?, defects: AuthorityDefects
    ) throws {
        let rootIssuer = CertificateIssuer(name: try builder.name("Root CA"), key: keys.root)
        let isNotSelfSigned = defects.contains(.rootNotSelfSigned)
        root = try builder.root(
            rootIssuer, by: isNotSelfSigned ? CertificateIssuer(name: builder.name("Unknown CA"), key: unknownIssuer()) : nil,
            defects: defects
        )
        var issuer = CertificateIssuer(name: try builder.name("Intermediate CA"), key: keys.intermediate)
        intermediate = try builder.intermediate(
            for: keys.intermediate.publicKey, by: rootIssuer,
            signedWith: defects.contains(.intermediateSignedByUnknownIssuer) ? unknownIssuer() : nil,
            defects: defects, ocspURL: ocspURL
        )
        if defects.contains(.twoIntermediates) {
            let second = CertificateIssuer(name: try builder.name("Second Intermediate CA"), key: try unknownIssuer())
            secondIntermediate = try builder.intermediate(
                for: second.key.publicKey, named: second.name, by: issuer, defects: [], ocspURL: nil)
            issuer = second
        } else {
            secondIntermediate = nil
        }
        leaf = try builder.leaf(
            for: keys.leaf, by: issuer, signedWith: defects.contains(.leafSignedByUnknownIssuer) ? unknownIssuer() : nil, defects: defects,
            ocspURL: ocspURL
        )
    }

    /// Creates a chain from existing certificates.
    init(leaf: Certificate, intermediate: Certificate, root: Certificate) {
        self.leaf = leaf
        self.secondIntermediate = nil
        self.intermediate = intermediate
        self.root = root
    }
}
