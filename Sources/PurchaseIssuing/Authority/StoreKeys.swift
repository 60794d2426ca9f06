import Crypto
import PurchaseModel
import X509

/// The private keys of a certificate authority with one root, with which it can issue certificates after its creation.
struct StoreKeys: Sendable {
    /// The store's name, which the names of the certificates contain.
    let name: String
    /// The time of the authority's creation.
    let creationDate: Timestamp
    /// The URL of the OCSP responder, which the leaves and intermediates state; nil for certificates without a URL.
    let ocspURL: String?
    let root: P384.Signing.PrivateKey
    let signedDataIntermediate: P384.Signing.PrivateKey
    let receipts: ReceiptKeys

    /// The purpose of a certificate, which the certificate's name contains.
    enum Purpose: String {
        case store = "Store"
        case receipts = "Receipt"
        case signedData = "Signed Data"
    }

    /// Returns a builder for certificates that the root or the intermediate for signed data signs.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the certificates.
    ///   - now: The time from which the periods of validity are computed; nil for the time of the authority's creation.
    func builder(_ purpose: Purpose, now: Timestamp? = nil) -> CertificateBuilder {
        CertificateBuilder(purpose: purpose.rawValue, owner: name, now: now ?? creationDate, algorithm: .ecdsaWithSHA384)
    }

    /// Returns a builder for certificates that the intermediate for receipts signs.
    ///
    /// - Parameter now: The time from which the periods of validity are computed; nil for the time of the authority's creation.
    func receiptLeafBuilder(now: Timestamp? = nil) -> CertificateBuilder {
        CertificateBuilder(
            purpose: Purpose.receipts.rawValue, owner: name, now: now ?? creationDate, algorithm: ReceiptGeneration.sha256.algorithm
        )
    }

    /// The name and the key of the root, which issues intermediates.
    var rootIssuer: CertificateIssuer {
        get throws { CertificateIssuer(name: try builder(.store).name("Root CA"), key: .init(root)) }
    }

    /// The name and the key of the intermediate for receipts, which issues leaves.
    var receiptIssuer: CertificateIssuer {
        get throws { CertificateIssuer(name: try builder(.receipts).name("Intermediate CA"), key: .init(receipts.intermediate)) }
    }

    /// The name and the key of the intermediate for signed data, which issues leaves.
    var signedDataIssuer: CertificateIssuer {
        get throws { CertificateIssuer(name: try builder(.signedData).name("Intermediate CA"), key: .init(signedDataIntermediate)) }
    }
}
