import SwiftASN1
import X509

/// The certificates that say what a signing key may sign.
struct SigningChain: Sendable {
    /// The certificate of the signing key.
    let leaf: Certificate
    /// A second one between leaf and intermediate, where no good chain has any.
    let extra: Certificate?
    /// The certificate between leaf and root.
    let intermediate: Certificate
    /// The certificate that a verifier has to trust.
    let root: Certificate

    /// All of them, in the order in which they are sent: three, unless the authority has defects.
    var certificates: [Certificate] { [leaf] + (extra.map { [$0] } ?? []) + [intermediate, root] }

    /// Takes leaf, intermediate and root from an archive.
    init(leaf: PEMDocument, intermediate: PEMDocument, root: PEMDocument) throws {
        self.leaf = try Certificate(pemDocument: leaf)
        self.extra = nil
        self.intermediate = try Certificate(pemDocument: intermediate)
        self.root = try Certificate(pemDocument: root)
    }

    /// Certifies keys.
    ///
    /// - Parameters:
    ///   - maker: Makes the certificates.
    ///   - keys: The keys of root, intermediate and leaf.
    ///   - stranger: Makes a key of the intermediate's kind that belongs to somebody else.
    ///   - ocspURL: Where leaf and intermediate say that one can ask about them; nil for nowhere.
    ///   - defects: What to do wrong.
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

    /// Takes certificates that were made one by one.
    init(leaf: Certificate, intermediate: Certificate, root: Certificate) {
        self.leaf = leaf
        self.extra = nil
        self.intermediate = intermediate
        self.root = root
    }
}
