import Crypto
import CryptoExtras
import SwiftASN1
import X509

extension XcodeAuthority {
    /// The keys and certificates that restore the authority, as PEM: key and certificate of receipts, then of JWS.
    package var archive: String {
        get throws {
            [
                receiptKey.pemRepresentation, try receiptCertificate.serializeAsPEM().pemString, signedDataKey.pemRepresentation,
                try signedDataCertificate.serializeAsPEM().pemString,
            ].joined(separator: "\n") + "\n"
        }
    }

    /// Restores an authority from an archive.
    ///
    /// - Throws: ``IssuingError/invalidArchive``.
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
