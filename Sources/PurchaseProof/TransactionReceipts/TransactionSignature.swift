import Crypto
import CryptoExtras
import Foundation
import PurchaseModel

/// The signature of a transaction receipt and the certificate of its key, parsed and not verified.
///
/// ```
/// version (1 byte), RSA signature (128 or 256 bytes), length of the certificate (4 bytes), certificate
/// ```
///
/// The signature covers the version byte and the list `purchase-info`.
struct TransactionSignature: Sendable {
    /// The format.
    let version: Version
    /// The certificate as DER.
    let certificate: [UInt8]

    private let signature: ArraySlice<UInt8>

    /// The formats of Apple's receipts.
    enum Version: UInt8, Sendable {
        /// Until about 2015: RSA-1024 with SHA-1, and a certificate for transaction receipts only.
        case transactionCertificate = 2
        /// Since then: RSA-2048 with SHA-1, and the certificate of app receipts.
        case receiptCertificate = 3
        /// Since 2023: RSA-2048 with SHA-256, and the certificate of app receipts.
        case receiptCertificateSHA256 = 4

        var digest: CMSDigest { self == .receiptCertificateSHA256 ? .sha256 : .sha1 }

        /// The length of the signature in bytes.
        var length: Int { self == .transactionCertificate ? 128 : 256 }

        /// The required marker extension of the certificate.
        var marker: [UInt8] { self == .transactionCertificate ? BERObject.transactionReceiptMarker : BERObject.purchaseMarker }
    }

    init(_ bytes: [UInt8]) throws(Refusal) {
        guard let version = bytes.first.flatMap(Version.init) else {
            throw Refusal(.malformed, at: "signature.version", "Invalid value: the version must be 2, 3 or 4.")
        }
        self.version = version
        let start = 1 + version.length + 4
        guard bytes.count > start else { throw Refusal(.malformed, at: "signature", "The signature is incomplete.") }
        signature = bytes[1...version.length]
        let length = bytes[version.length + 1..<start].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count - start == length else {
            throw Refusal(
                .malformed, at: "signature.certificate",
                "The certificate has \(bytes.count - start) bytes, but the length field contains \(length).")
        }
        certificate = Array(bytes[start...])
    }

    /// Throws unless the signature of a list is valid for the certificate's key.
    func verify(_ purchaseInfo: [UInt8], by outline: CertificateOutline) throws(Refusal) {
        guard let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: certificate[outline.publicKey]),
            version.digest.isValid(signature, for: ([version.rawValue] + purchaseInfo)[...], by: key)
        else { throw Refusal(.signature, at: "signature") }
    }
}

/// The certificate of a transaction receipt's signer, and the time at which it is verified.
struct TransactionSigner {
    let outline: CertificateOutline
    /// The earliest time at which the receipt can have been signed.
    let time: Timestamp

    /// The validity of the certificate.
    let validity: ClosedRange<Timestamp>

    private let signature: TransactionSignature

    init(_ signature: TransactionSignature, at purchase: Timestamp) throws(Refusal) {
        let bytes = signature.certificate
        do throws(ParseError) {
            outline = try CertificateOutline(0..<bytes.count, bytes.span)
            validity = try outline.validity(bytes.span)
        } catch { throw Refusal(error, at: Self.place) }
        time = max(purchase.wholeSeconds, validity.lowerBound)
        self.signature = signature
    }

    /// Throws unless an issuer issued the certificate for such receipts, and both were valid at that time.
    ///
    /// - Returns: The issuer.
    func verify(with issuers: [TransactionIssuer]) throws(Refusal) -> TransactionIssuer {
        let bytes = signature.certificate
        let named = issuers.filter { $0.name == Array(bytes[outline.issuer]) }
        guard !named.isEmpty else { throw Refusal(.untrustedRoot, at: Self.place) }
        // Issuers of one name can have the same key and different validities, like those of 2008 and 2013.
        let signers = named.filter { $0.signed(bytes, outline) }
        guard !signers.isEmpty else { throw Refusal(.chain, at: Self.place, "The signature of the certificate is invalid.") }
        guard outline.hasMarker(signature.version.marker, bytes.span) else { throw Refusal(.marker, at: Self.place) }
        guard validity.contains(time), let valid = signers.first(where: { $0.validity.contains(time) }) else {
            throw Refusal(.validity, at: Self.place, "The receipt can't have been signed before \(time).")
        }
        return valid
    }

    /// The place of the certificate in the receipt.
    static let place = "signature.certificate"
}
