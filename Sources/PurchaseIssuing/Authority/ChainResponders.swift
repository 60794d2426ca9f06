import SwiftASN1
import X509

/// The OCSP responders for the certificates of one chain.
struct ChainResponders: Sendable {
    /// Responds for the leaf, authorized by the intermediate.
    let forLeaf: ResponderIdentity
    /// Responds for the intermediate, authorized by the root.
    let forIntermediate: ResponderIdentity

    /// Creates responders that the issuers of a chain certify.
    init(_ builder: CertificateBuilder, chain: SigningChain, root: Certificate.PrivateKey, intermediate: Certificate.PrivateKey) throws {
        forLeaf = try ResponderIdentity(builder, for: chain.intermediate, key: intermediate)
        forIntermediate = try ResponderIdentity(builder, for: chain.root, key: root)
    }

    /// Reads keys and certificates of both responders from an archive.
    init(archive blocks: ArraySlice<PEMDocument>) throws {
        let blocks = Array(blocks)
        guard blocks.count == 4 else { throw IssuingError.invalidArchive }
        forLeaf = try ResponderIdentity(key: blocks[0], certificate: blocks[1])
        forIntermediate = try ResponderIdentity(key: blocks[2], certificate: blocks[3])
    }

    /// Keys and certificates of both responders, for an archive.
    var archive: [String] {
        get throws { try forLeaf.archive + forIntermediate.archive }
    }
}
