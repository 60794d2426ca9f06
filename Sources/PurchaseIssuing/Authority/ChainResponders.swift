import SwiftASN1
import X509

/// Who answers for the certificates of one chain.
struct ChainResponders: Sendable {
    /// Answers for the leaf, in the intermediate's name.
    let forLeaf: ResponderIdentity
    /// Answers for the intermediate, in the root's name.
    let forIntermediate: ResponderIdentity

    /// Has the issuers of a chain appoint responders.
    init(_ maker: CertificateMaker, chain: SigningChain, root: Certificate.PrivateKey, intermediate: Certificate.PrivateKey) throws {
        forLeaf = try ResponderIdentity(maker, for: chain.intermediate, key: intermediate)
        forIntermediate = try ResponderIdentity(maker, for: chain.root, key: root)
    }

    /// Takes key and certificate of both from an archive.
    init(archive blocks: ArraySlice<PEMDocument>) throws {
        let blocks = Array(blocks)
        guard blocks.count == 4 else { throw IssuingError.notAnArchive }
        forLeaf = try ResponderIdentity(key: blocks[0], certificate: blocks[1])
        forIntermediate = try ResponderIdentity(key: blocks[2], certificate: blocks[3])
    }

    /// Key and certificate of both for an archive.
    var archive: [String] {
        get throws { try forLeaf.archive + forIntermediate.archive }
    }
}
