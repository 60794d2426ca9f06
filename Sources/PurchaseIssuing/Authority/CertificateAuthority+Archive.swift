import Crypto
import CryptoExtras
import SwiftASN1
import X509

extension CertificateAuthority {
    /// The private keys and certificates of the authority as text, from which ``init(archive:)`` restores the authority.
    ///
    /// The archive of an authority with one root is the JSON of a ``StoreArchive``. The archive of an authority with two roots is a
    /// sequence of 18 PEM blocks:
    /// 1. Four blocks for receipts: the signing key, the leaf, the intermediate and the root.
    /// 2. Four blocks for signed data: the signing key, the leaf, the intermediate and the root.
    /// 3. Eight blocks for OCSP responders: the key and the certificate of the responders for the leaf and the intermediate of receipts,
    ///    and for the leaf and the intermediate of signed data.
    /// 4. Two blocks for transaction receipts: the key and the certificate of the signer.
    ///
    /// An archive of an earlier version has the first eight blocks only.
    package var archive: String {
        get throws {
            if let store { return try StoreArchive(self, store).encoded }
            let receipts = try [receiptKey.pemRepresentation] + receiptChain.certificates.map { try $0.serializeAsPEM().pemString }
            let signedData = try [signedDataKey.pemRepresentation] + signedDataChain.certificates.map { try $0.serializeAsPEM().pemString }
            let responders = try (receiptResponders?.archive ?? []) + (signedDataResponders?.archive ?? [])
            return (receipts + signedData + responders + (transactionReceipts?.archive ?? [])).joined(separator: "\n") + "\n"
        }
    }

    /// Restores an authority from its archive.
    ///
    /// An authority from an archive of an earlier version, which has eight PEM blocks, has no OCSP responders, and cannot sign transaction
    /// receipts.
    ///
    /// - Throws: ``IssuingError/invalidArchive`` when the text is not an archive, or when a key or a certificate in it is damaged.
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
