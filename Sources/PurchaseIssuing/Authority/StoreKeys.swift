import Crypto
import PurchaseModel
import X509

/// What a store's authority keeps to certify more than it did when it was made: the keys of its root and its intermediates.
struct StoreKeys: Sendable {
    /// The store's name, for the names of certificates.
    let name: String
    /// When the authority was made.
    let made: Timestamp
    /// Where leaves and intermediates say that one can ask about them; nil for nowhere.
    let ocspURL: String?
    let root: P384.Signing.PrivateKey
    let signedDataIntermediate: P384.Signing.PrivateKey
    let receipts: ReceiptKeys

    /// The part that makes names and times.
    enum Purpose: String {
        case store = "Store"
        case receipts = "Receipt"
        case signedData = "Signed Data"
    }

    /// Makes what the root or the intermediate of the signed data signs.
    func maker(_ purpose: Purpose, now: Timestamp? = nil) -> CertificateMaker {
        CertificateMaker(purpose: purpose.rawValue, owner: name, now: now ?? made, algorithm: .ecdsaWithSHA384)
    }

    /// Makes what the intermediate of the receipts signs.
    func receiptLeafMaker(now: Timestamp? = nil) -> CertificateMaker {
        CertificateMaker(
            purpose: Purpose.receipts.rawValue, owner: name, now: now ?? made, algorithm: ReceiptGeneration.sha256.algorithm
        )
    }

    /// The root, as it certifies others.
    var rootIssuer: CertificateIssuer {
        get throws { CertificateIssuer(name: try maker(.store).name("Root CA"), key: .init(root)) }
    }

    /// The intermediate of the receipts, as it certifies leaves.
    var receiptIssuer: CertificateIssuer {
        get throws { CertificateIssuer(name: try maker(.receipts).name("Intermediate CA"), key: .init(receipts.intermediate)) }
    }

    /// The intermediate of the signed data, as it certifies leaves.
    var signedDataIssuer: CertificateIssuer {
        get throws { CertificateIssuer(name: try maker(.signedData).name("Intermediate CA"), key: .init(signedDataIntermediate)) }
    }
}
