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

    private let key: Key

    /// Apple's authorities have RSA keys; a local store's root is an elliptic one.
    private enum Key {
        case rsa(_RSA.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)

        init?(_ bytes: ArraySlice<UInt8>) {
            if let key = try? _RSA.Signing.PublicKey(derRepresentation: bytes) {
                self = .rsa(key)
            } else if let key = try? P384.Signing.PublicKey(derRepresentation: bytes) {
                self = .p384(key)
            } else {
                return nil
            }
        }
    }

    /// Takes the authority from its certificate; nil when it can't certify anything of this kind.
    init?(_ certificate: [UInt8], title: String) {
        let span = certificate.span
        guard let outline = try? CertificateOutline(0..<certificate.count, span), let validity = try? outline.validity(span),
            let key = Key(certificate[outline.publicKey])
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
        let (signature, content) = (certificate[outline.signature], certificate[outline.signed])
        switch key {
        case .rsa(let key):
            for digest in [CMSDigest.sha256, .sha1] where digest.isNamed(by: outline.algorithm, span) {
                return digest.isValid(signature, for: content, by: key)
            }
            return false
        case .p384(let key):
            guard span.holds(BERObject.ecdsaWithSHA384, at: outline.algorithm),
                let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: content)
        }
    }
}
