import Crypto
import CryptoExtras
import Foundation

/// The signature of a transaction receipt with the certificate of its key, read but not believed.
///
/// ```
/// version (1 byte), RSA signature (128 or 256 bytes), length of the certificate (4 bytes), certificate
/// ```
///
/// What is signed is the version byte and the list `purchase-info`.
struct TransactionSignature: Sendable {
    /// Which of the three formats it has.
    let version: Version
    /// The certificate in DER.
    let certificate: [UInt8]

    private let signature: ArraySlice<UInt8>

    /// The formats that Apple has used.
    enum Version: UInt8, Sendable {
        /// Until about 2015: RSA-1024 with SHA-1, under a certificate for receipts of this kind alone.
        case own = 2
        /// Since then: RSA-2048 with SHA-1, under the certificate of app receipts.
        case shared = 3
        /// Since 2023: the same with SHA-256.
        case sharedSHA256 = 4

        var digest: CMSDigest { self == .sharedSHA256 ? .sha256 : .sha1 }

        /// The length of the signature in bytes.
        var length: Int { self == .own ? 128 : 256 }

        /// The marker that the certificate must have.
        var marker: [UInt8] { self == .own ? BERObject.transactionReceiptMarker : BERObject.purchaseMarker }
    }

    init(_ bytes: [UInt8]) throws(Refusal) {
        guard let version = bytes.first.flatMap(Version.init) else {
            throw Refusal(.malformed, at: "signature.version", "One of the versions 2, 3 and 4 was expected.")
        }
        self.version = version
        let start = 1 + version.length + 4
        guard bytes.count > start else { throw Refusal(.malformed, at: "signature", "It ends before it is complete.") }
        signature = bytes[1...version.length]
        let length = bytes[version.length + 1..<start].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count - start == length else {
            throw Refusal(.malformed, at: "signature.certificate", "The certificate is not as long as was said.")
        }
        certificate = Array(bytes[start...])
    }

    /// Throws unless the certificate's key signed that list.
    func check(_ purchaseInfo: [UInt8], by outline: CertificateOutline) throws(Refusal) {
        guard let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: certificate[outline.publicKey]),
            version.digest.isValid(signature, for: ([version.rawValue] + purchaseInfo)[...], by: key)
        else { throw Refusal(.signature, at: "signature") }
    }
}
