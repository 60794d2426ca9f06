import Crypto
import CryptoExtras
import Foundation
import PurchaseModel

/// An authority that may certify signers of transaction receipts.
struct TransactionAnchor: Sendable {
    /// Its name in DER.
    let name: [UInt8]
    /// The time within which it is valid.
    let validity: ClosedRange<Timestamp>
    /// What it is called.
    let title: String

    private let key: _RSA.Signing.PublicKey

    /// Takes the authority from its certificate; nil when it can't certify anything of this kind.
    init?(_ certificate: [UInt8], title: String) {
        let span = certificate.span
        guard let outline = try? CertificateOutline(0..<certificate.count, span), let validity = try? outline.validity(span),
            let key = try? _RSA.Signing.PublicKey(derRepresentation: certificate[outline.publicKey])
        else { return nil }
        name = Array(certificate[outline.subject])
        self.validity = validity
        self.title = title
        self.key = key
    }

    /// Whether its key signed that certificate, under the algorithm that the certificate names twice.
    func signed(_ certificate: [UInt8], _ outline: CertificateOutline) -> Bool {
        let span = certificate.span
        guard span.isSame(outline.algorithm, outline.signedAlgorithm) else { return false }
        for digest in [CMSDigest.sha256, .sha1] where digest.isNamed(by: outline.algorithm, span) {
            return digest.isValid(certificate[outline.signature], for: certificate[outline.signed], by: key)
        }
        return false
    }
}
