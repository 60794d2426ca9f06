import Crypto
import PurchaseModel
import X509

/// The keys of a store's root and intermediates, which certify further keys after the authority was created.
struct StoreKeys: Sendable {
    /// The store's name, for the names of certificates.
    let name: String
    /// The time of the authority's creation.
    let creationDate: Timestamp
    /// The OCSP responder's address in leaves and intermediates; nil for no address.
    let ocspURL: String?
    let root: P384.Signing.PrivateKey
    let signedDataIntermediate: P384.Signing.PrivateKey
    let receipts: ReceiptKeys

    /// The purpose of certificates, which determines names and times.
    enum Purpose: String {
        case store = "Store"
        case receipts = "Receipt"
        case signedData = "Signed Data"
    }

    /// Creates a builder for the certificates that the root or the signed data's intermediate signs.
    func builder(_ purpose: Purpose, now: Timestamp? = nil) -> CertificateBuilder {
        CertificateBuilder(purpose: purpose.rawValue, owner: name, now: now ?? creationDate, algorithm: .ecdsaWithSHA384)
    }

    /// Creates a builder for the certificates that the receipts' intermediate signs.
    func receiptLeafBuilder(now: Timestamp? = nil) -> CertificateBuilder {
        CertificateBuilder(
            purpose: Purpose.receipts.rawValue, owner: name, now: now ?? creationDate, algorithm: ReceiptGeneration.sha256.algorithm
        )
    }

    /// The root as an issuer.
    var rootIssuer: CertificateIssuer {
        get throws { CertificateIssuer(name: try builder(.store).name("Root CA"), key: .init(root)) }
    }

    /// The receipts' intermediate as an issuer of leaves.
    var receiptIssuer: CertificateIssuer {
        get throws { CertificateIssuer(name: try builder(.receipts).name("Intermediate CA"), key: .init(receipts.intermediate)) }
    }

    /// The signed data's intermediate as an issuer of leaves.
    var signedDataIssuer: CertificateIssuer {
        get throws { CertificateIssuer(name: try builder(.signedData).name("Intermediate CA"), key: .init(signedDataIntermediate)) }
    }
}
