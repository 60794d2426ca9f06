import Crypto
import CryptoExtras
import SwiftASN1
import X509

extension CertificateAuthority {
    /// The private keys and certificates that restore the authority, for storage in the store's database.
    ///
    /// The archive of an authority with one root is JSON, ``StoreArchive``. The archive of an authority with two roots is PEM. It
    /// contains, for receipts and then for signed data: the signing key, leaf, intermediate and root. After these eight blocks follow
    /// the key and certificate of the responders for the receipts' leaf and intermediate, of the responders for the signed data's leaf
    /// and intermediate, and of the signer of single transactions' receipts. Archives of earlier versions end after eight blocks.
    package var archive: String {
        get throws {
            if let store { return try StoreArchive(self, store).encoded }
            let receipts = try [receiptKey.pemRepresentation] + receiptChain.certificates.map { try $0.serializeAsPEM().pemString }
            let signedData = try [signedDataKey.pemRepresentation] + signedDataChain.certificates.map { try $0.serializeAsPEM().pemString }
            let responders = try (receiptResponders?.archive ?? []) + (signedDataResponders?.archive ?? [])
            return (receipts + signedData + responders + (transactionReceipts?.archive ?? [])).joined(separator: "\n") + "\n"
        }
    }

    /// Restores an authority from an archive.
    ///
    /// An archive of eight blocks restores an authority without responders and transaction receipts.
    ///
    /// - Throws: ``IssuingError/invalidArchive``.
    package init(archive: String) throws {
        if let archive = StoreArchive(archive) {
            self = try archive.authority
            return
        }
        guard let blocks = try? PEMDocument.parseMultiple(pemString: archive), [8, 18].contains(blocks.count) else {
            throw IssuingError.invalidArchive
        }
        do {
            receiptKey = try _RSA.Signing.PrivateKey(pemRepresentation: blocks[0].pemString)
            receiptChain = try SigningChain(leaf: blocks[1], intermediate: blocks[2], root: blocks[3])
            signedDataKey = try P256.Signing.PrivateKey(pemRepresentation: blocks[4].pemString)
            signedDataChain = try SigningChain(leaf: blocks[5], intermediate: blocks[6], root: blocks[7])
            let isWhole = blocks.count == 18
            receiptResponders = isWhole ? try ChainResponders(archive: blocks[8..<12]) : nil
            signedDataResponders = isWhole ? try ChainResponders(archive: blocks[12..<16]) : nil
            transactionReceipts = isWhole ? try TransactionReceiptIdentity(key: blocks[16], certificate: blocks[17]) : nil
            (nonP256SignedDataKey, store) = (nil, nil)
        } catch {
            throw IssuingError.invalidArchive
        }
    }
}
