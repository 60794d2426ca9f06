import SwiftASN1
import X509

/// The certificates that authorize a signing key.
struct SigningChain: Sendable {
    /// The certificate of the signing key.
    let leaf: Certificate
    /// A second intermediate between leaf and intermediate, which only a defective chain has.
    let secondIntermediate: Certificate?
    /// The certificate between leaf and root.
    let intermediate: Certificate
    /// The certificate that a verifier has to trust.
    let root: Certificate

    /// All certificates, in the order of the signed data: three, unless the authority has defects.
    var certificates: [Certificate] { [leaf] + (secondIntermediate.map { [$0] } ?? []) + [intermediate, root] }

    /// Reads leaf, intermediate and root from an archive.
    init(leaf: PEMDocument, intermediate: PEMDocument, root: PEMDocument) throws {
        self.leaf = try Certificate(pemDocument: leaf)
        self.secondIntermediate = nil
        self.intermediate = try Certificate(pemDocument: intermediate)
        self.root = try Certificate(pemDocument: root)
    }

    /// Certifies keys.
    ///
    /// - Parameters:
    ///   - builder: The builder of the certificates.
    ///   - keys: The keys of root, intermediate and leaf.
    ///   - unknownIssuer: Creates a key of the intermediate's kind for another authority.
    ///   - ocspURL: The OCSP responder's address in leaf and intermediate; nil for no address.
    ///   - defects: The defects of the certificates.
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
