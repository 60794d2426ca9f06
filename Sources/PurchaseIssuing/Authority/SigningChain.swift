import SwiftASN1
import X509

/// The certificates that authorize a signing key.
struct SigningChain: Sendable {
    /// The certificate of the signing key.
    let leaf: Certificate
    /// A second intermediate between leaf and intermediate, which only a defective chain has.
    let extra: Certificate?
    /// The certificate between leaf and root.
    let intermediate: Certificate
    /// The certificate that a verifier has to trust.
    let root: Certificate

    /// All certificates, in the order of the signed data: three, unless the authority has defects.
    var certificates: [Certificate] { [leaf] + (extra.map { [$0] } ?? []) + [intermediate, root] }

    /// Reads leaf, intermediate and root from an archive.
    init(leaf: PEMDocument, intermediate: PEMDocument, root: PEMDocument) throws {
        self.leaf = try Certificate(pemDocument: leaf)
        self.extra = nil
        self.intermediate = try Certificate(pemDocument: intermediate)
        self.root = try Certificate(pemDocument: root)
    }

    /// Certifies keys.
    ///
    /// - Parameters:
    ///   - maker: Creates the certificates.
    ///   - keys: The keys of root, intermediate and leaf.
    ///   - stranger: Creates a key of the intermediate's kind for another authority.
    ///   - ocspURL: The OCSP responder's address in leaf and intermediate; nil for no address.
    ///   - defects: The defects of the certificates.
    init(
        _ maker: CertificateMaker,
        keys: (root: Certificate.PrivateKey, intermediate: Certificate.PrivateKey, leaf: Certificate.PublicKey),
        stranger: () throws -> Certificate.PrivateKey, ocspURL: String?, defects: AuthorityDefects
    ) throws {
        let rootIssuer = CertificateIssuer(name: try maker.name("Root CA"), key: keys.root)
        let isOrphan = defects.contains(.rootNotSelfSigned)
        root = try maker.root(
            rootIssuer, by: isOrphan ? CertificateIssuer(name: maker.name("Stranger's CA"), key: stranger()) : nil, defects: defects
        )
        var issuer = CertificateIssuer(name: try maker.name("Intermediate CA"), key: keys.intermediate)
        intermediate = try maker.intermediate(
            for: keys.intermediate.publicKey, by: rootIssuer, signedWith: defects.contains(.strangersIntermediate) ? stranger() : nil,
            defects: defects, ocspURL: ocspURL
        )
        if defects.contains(.longChain) {
            let second = CertificateIssuer(name: try maker.name("Second Intermediate CA"), key: try stranger())
            extra = try maker.intermediate(for: second.key.publicKey, named: second.name, by: issuer, defects: [], ocspURL: nil)
            issuer = second
        } else {
            extra = nil
        }
        leaf = try maker.leaf(
            for: keys.leaf, by: issuer, signedWith: defects.contains(.strangersLeaf) ? stranger() : nil, defects: defects, ocspURL: ocspURL
        )
    }

    /// Creates a chain from existing certificates.
    init(leaf: Certificate, intermediate: Certificate, root: Certificate) {
        self.leaf = leaf
        self.extra = nil
        self.intermediate = intermediate
        self.root = root
    }
}
