import Crypto
import CryptoExtras
import SwiftASN1
import X509

extension XcodeAuthority {
    /// The keys and certificates of the authority as text, from which ``init(archive:)`` restores the authority.
    ///
    /// The text has four PEM blocks: the key and the certificate for receipts, and the key and the certificate for JWS.
    package var archive: String {
        get throws {
            [
                receiptKey.pemRepresentation, try receiptCertificate.serializeAsPEM().pemString, signedDataKey.pemRepresentation,
                try signedDataCertificate.serializeAsPEM().pemString,
            ].joined(separator: "\n") + "\n"
        }
    }

    /// Restores an authority from its archive.
    ///
    /// - Throws: ``IssuingError/invalidArchive`` when the text does not have the four PEM blocks, or when one of them is damaged.
    package init(archive: String) throws(IssuingError) {
        guard let blocks = try? PEMDocument.parseMultiple(pemString: archive), blocks.count == 4,
            let receiptKey = try? _RSA.Signing.PrivateKey(pemRepresentation: blocks[0].pemString),
            let receiptCertificate = try? Certificate(pemDocument: blocks[1]),
            let signedDataKey = try? P256.Signing.PrivateKey(pemRepresentation: blocks[2].pemString),
            let signedDataCertificate = try? Certificate(pemDocument: blocks[3])
        else { throw .invalidArchive }
        self.receiptKey = receiptKey
        self.receiptCertificate = receiptCertificate
        self.signedDataKey = signedDataKey
        self.signedDataCertificate = signedDataCertificate
    }
}
