import PurchaseProof
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

    /// All of them, in the order in which they are sent: three, unless the authority is flawed.
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
    ///   - flaws: What to do wrong.
    init(
        _ maker: CertificateMaker,
        keys: (root: Certificate.PrivateKey, intermediate: Certificate.PrivateKey, leaf: Certificate.PublicKey),
        stranger: () throws -> Certificate.PrivateKey, ocspURL: String?, flaws: AuthorityFlaws
    ) throws {
        let rootName = try maker.name("Root CA")
        let intermediateName = try maker.name("Intermediate CA")
        let rootID = SubjectKeyIdentifier(hash: keys.root.publicKey)
        let intermediateID = SubjectKeyIdentifier(hash: keys.intermediate.publicKey)
        let isSwapped = flaws.contains(.swappedMarkers)
        let intermediateMarker = CertificateMaker.marker(isSwapped ? Marker.leaf : Marker.intermediate)

        let isOrphan = flaws.contains(.rootNotSelfSigned)
        root = try maker.certificate(
            for: keys.root.publicKey, named: rootName, by: isOrphan ? maker.name("Stranger's CA") : rootName,
            key: isOrphan ? stranger() : keys.root, until: flaws.contains(.expiredRoot) ? maker.yesterday : nil
        ) {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: flaws.contains(.rootPathTooShort) ? 0 : nil))
            Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            rootID
            AuthorityKeyIdentifier(keyIdentifier: rootID.keyIdentifier)
        }
        intermediate = try maker.certificate(
            for: keys.intermediate.publicKey, named: intermediateName, by: rootName,
            key: flaws.contains(.strangersIntermediate) ? stranger() : keys.root,
            until: flaws.contains(.expiredIntermediate) ? maker.yesterday : nil
        ) {
            if flaws.contains(.intermediateNoAuthority) {
                Critical(BasicConstraints.notCertificateAuthority)
            } else {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: flaws.contains(.longChain) ? 1 : 0))
            }
            Critical(KeyUsage(keyCertSign: !flaws.contains(.intermediateMayNotCertify), cRLSign: true))
            intermediateID
            AuthorityKeyIdentifier(keyIdentifier: rootID.keyIdentifier)
            if !flaws.contains(.noIntermediateMarker) { intermediateMarker }
            if let ocspURL { CertificateMaker.revocationAddress(ocspURL) }
        }

        var issuer = (name: intermediateName, key: keys.intermediate)
        if flaws.contains(.longChain) {
            let name = try maker.name("Second Intermediate CA")
            let key = try stranger()
            extra = try maker.certificate(for: key.publicKey, named: name, by: intermediateName, key: keys.intermediate) {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: key.publicKey)
                AuthorityKeyIdentifier(keyIdentifier: intermediateID.keyIdentifier)
                intermediateMarker
            }
            issuer = (name, key)
        } else {
            extra = nil
        }

        let issuerID = SubjectKeyIdentifier(hash: issuer.key.publicKey)
        leaf = try maker.certificate(
            for: keys.leaf, named: maker.name("Signing"), by: issuer.name,
            key: flaws.contains(.strangersLeaf) ? stranger() : issuer.key,
            from: flaws.contains(.notYetValidLeaf) ? maker.tomorrow : nil,
            until: flaws.contains(.expiredLeaf) ? maker.yesterday : nil
        ) {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(flaws.contains(.leafMayNotSign) ? KeyUsage(keyEncipherment: true) : KeyUsage(digitalSignature: true))
            SubjectKeyIdentifier(hash: keys.leaf)
            AuthorityKeyIdentifier(keyIdentifier: issuerID.keyIdentifier)
            if !flaws.contains(.noLeafMarker) { CertificateMaker.marker(isSwapped ? Marker.intermediate : Marker.leaf) }
            if flaws.contains(.unknownCriticalExtension) { CertificateMaker.marker([1, 3, 6, 1, 4, 1, 99999, 1], critical: true) }
            if let ocspURL { CertificateMaker.revocationAddress(ocspURL) }
        }
    }
}
