import SwiftASN1
import X509

/// The keys and certificates of the two OCSP responders for one certificate chain.
struct ChainResponders: Sendable {
    /// The responder that states the status of the leaf, and that the intermediate authorizes.
    let forLeaf: ResponderIdentity
    /// The responder that states the status of the intermediate, and that the root authorizes.
    let forIntermediate: ResponderIdentity

    /// Generates the keys of the responders, and issues their certificates with the intermediate and with the root.
    ///
    /// - Parameters:
    ///   - builder: The builder of the chain's certificates.
    ///   - chain: The chain whose certificates the responders serve.
    ///   - root: The private key of the root.
    ///   - intermediate: The private key of the intermediate.
    init(_ builder: CertificateBuilder, chain: SigningChain, root: Certificate.PrivateKey, intermediate: Certificate.PrivateKey) throws {
        forLeaf = try ResponderIdentity(builder, for: chain.intermediate, key: intermediate)
        forIntermediate = try ResponderIdentity(builder, for: chain.root, key: root)
    }

    /// Restores both responders from the four PEM blocks of an authority's archive.
    ///
    /// - Throws: ``IssuingError/invalidArchive`` when there are not exactly four blocks, or an error of parsing a key or a certificate.
    init(archive blocks: ArraySlice<PEMDocument>) throws {
        let blocks = Array(blocks)
        guard blocks.count == 4 else { throw IssuingError.invalidArchive }
        forLeaf = try ResponderIdentity(key: blocks[0], certificate: blocks[1])
        forIntermediate = try ResponderIdentity(key: blocks[2], certificate: blocks[3])
    }

    /// The keys and certificates of both responders as four PEM texts, for an authority's archive.
    var archive: [String] {
        get throws { try forLeaf.archive + forIntermediate.archive }
    }
}
