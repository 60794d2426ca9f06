import Crypto
import CryptoExtras
import SwiftASN1
import X509

extension CertificateAuthority {
    /// Everything needed to go on with the same keys: private keys and certificates, for the store's own database.
    ///
    /// Of one root: JSON, ``StoreArchive``. Of two: PEM. For receipts and then for signed data: the signing key, leaf, intermediate and root. After these eight come key and
    /// certificate of the responders for the receipts' leaf and intermediate, of those for the signed data's, and of what signs
    /// receipts of single transactions; archives of earlier versions end after eight.
    package var archive: String {
        get throws {
            if let store { return try StoreArchive(self, store).encoded }
            let receipts = try [receiptKey.pemRepresentation] + receiptChain.certificates.map { try $0.serializeAsPEM().pemString }
            let signedData = try [signedDataKey.pemRepresentation] + signedDataChain.certificates.map { try $0.serializeAsPEM().pemString }
            let responders = try (receiptResponders?.archive ?? []) + (signedDataResponders?.archive ?? [])
            return (receipts + signedData + responders + (transactionReceipts?.archive ?? [])).joined(separator: "\n") + "\n"
        }
    }

    /// Goes on with the keys of an archive.
    ///
    /// One of eight parts makes an authority without responders and transaction receipts.
    ///
    /// - Throws: ``IssuingError/notAnArchive``.
    package init(archive: String) throws {
        if let archive = StoreArchive(archive) {
            self = try archive.authority
            return
        }
        guard let blocks = try? PEMDocument.parseMultiple(pemString: archive), [8, 18].contains(blocks.count) else {
            throw IssuingError.notAnArchive
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
            (oddSignedDataKey, store) = (nil, nil)
        } catch {
            throw IssuingError.notAnArchive
        }
    }
}
