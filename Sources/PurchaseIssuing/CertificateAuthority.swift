import Crypto
import CryptoExtras
package import PurchaseModel
import SwiftASN1
import X509

/// A store's own authority: an RSA chain that signs receipts and an elliptic one that signs JWS, each of three certificates.
///
/// The certificates have the extensions of Apple's, markers included, and names of their own. Nobody trusts them but verifiers
/// that were given ``rootsPEM``, and none of those for production. The keys of roots and intermediates sign nothing after the
/// authority is made, so they are not kept.
package struct CertificateAuthority: Sendable {
    let receiptKey: _RSA.Signing.PrivateKey
    let receiptChain: SigningChain
    let signedDataKey: P256.Signing.PrivateKey
    let signedDataChain: SigningChain

    /// Makes new keys and certificates, good from a year before `now` for twenty years.
    package init(name: String, now: Timestamp) throws {
        try self.init(name: name, now: now, keys: AuthorityKeys(), flaws: [])
    }

    /// Makes certificates for keys that are there, with what a test wants to be wrong about them.
    package init(name: String, now: Timestamp, keys: AuthorityKeys, flaws: AuthorityFlaws) throws {
        receiptChain = try SigningChain(
            purpose: "Receipt", owner: name, now: now,
            keys: (.init(keys.receiptRoot), .init(keys.receiptIntermediate), .init(keys.receiptLeaf.publicKey)),
            algorithm: .sha256WithRSAEncryption, flaws: flaws
        )
        signedDataChain = try SigningChain(
            purpose: "Signed Data", owner: name, now: now,
            keys: (.init(keys.signedDataRoot), .init(keys.signedDataIntermediate), .init(keys.signedDataLeaf.publicKey)),
            algorithm: .ecdsaWithSHA384, flaws: flaws
        )
        receiptKey = flaws.contains(.wrongKey) ? keys.receiptRoot : keys.receiptLeaf
        signedDataKey = flaws.contains(.wrongKey) ? P256.Signing.PrivateKey() : keys.signedDataLeaf
    }

    /// Everything needed to go on with the same keys: PEM of private keys and certificates, for the store's own database.
    ///
    /// For receipts and then for signed data: the signing key, leaf, intermediate and root.
    package var archive: String {
        get throws {
            let receipts = try [receiptKey.pemRepresentation] + receiptChain.certificates.map { try $0.serializeAsPEM().pemString }
            let signedData = try [signedDataKey.pemRepresentation] + signedDataChain.certificates.map { try $0.serializeAsPEM().pemString }
            return (receipts + signedData).joined(separator: "\n") + "\n"
        }
    }

    /// Goes on with the keys of an archive.
    ///
    /// - Throws: ``IssuingError/notAnArchive``.
    package init(archive: String) throws {
        guard let blocks = try? PEMDocument.parseMultiple(pemString: archive), blocks.count == 8 else { throw IssuingError.notAnArchive }
        do {
            receiptKey = try _RSA.Signing.PrivateKey(pemRepresentation: blocks[0].pemString)
            receiptChain = try SigningChain(leaf: blocks[1], intermediate: blocks[2], root: blocks[3])
            signedDataKey = try P256.Signing.PrivateKey(pemRepresentation: blocks[4].pemString)
            signedDataChain = try SigningChain(leaf: blocks[5], intermediate: blocks[6], root: blocks[7])
        } catch {
            throw IssuingError.notAnArchive
        }
    }

    /// Both root certificates as PEM: what a verifier has to trust.
    package var rootsPEM: String {
        // Certificates that were made or parsed can always be written.
        [receiptChain.root, signedDataChain.root].compactMap { try? $0.serializeAsPEM().pemString + "\n" }.joined()
    }
}
