import Crypto
import CryptoExtras
import Foundation
import PurchaseModel

/// The signature of a transaction receipt with the certificate of the signing key, parsed and not verified.
///
/// ```
/// version (1 byte), RSA signature (128 or 256 bytes), length of the certificate (4 bytes), certificate
/// ```
///
/// The signature covers the version byte and the property list `purchase-info`.
struct TransactionSignature: Sendable {
    /// The version of the signature's format.
    let version: Version
    /// The certificate of the signing key as DER.
    let certificate: [UInt8]

    private let signature: ArraySlice<UInt8>

    /// The versions of the signature's format.
    enum Version: UInt8, Sendable {
        /// RSA-1024 with SHA-1 and a certificate for transaction receipts only, which Apple used until about 2015.
        case transactionCertificate = 2
        /// RSA-2048 with SHA-1 and the certificate of app receipts, which Apple used from about 2015 to 2023.
        case receiptCertificate = 3
        /// RSA-2048 with SHA-256 and the certificate of app receipts, which Apple has used since 2023.
        case receiptCertificateSHA256 = 4

        var digest: CMSDigest { self == .receiptCertificateSHA256 ? .sha256 : .sha1 }

        /// The length of the signature in bytes.
        var length: Int { self == .transactionCertificate ? 128 : 256 }

        /// The marker extension that the certificate must have, as the content octets of its OBJECT IDENTIFIER.
        var marker: [UInt8] { self == .transactionCertificate ? BERObject.transactionReceiptMarker : BERObject.purchaseMarker }
    }

    init(_ bytes: [UInt8]) throws(Refusal) {
        guard let version = bytes.first.flatMap(Version.init) else {
            throw Refusal(.malformed, at: "signature.version", "Invalid value: the version of the signature must be 2, 3 or 4.")
        }
        self.version = version
        let start = 1 + version.length + 4
        guard bytes.count > start else {
            throw Refusal(.malformed, at: "signature", "The member signature is too short for a signature and a certificate.")
        }
        signature = bytes[1...version.length]
        let length = bytes[version.length + 1..<start].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count - start == length else {
            throw Refusal(
                .malformed, at: "signature.certificate",
                "The certificate has \(bytes.count - start) bytes, but the receipt states a length of \(length) bytes.")
        }
        certificate = Array(bytes[start...])
    }

    /// Verifies the signature of a receipt's `purchase-info` with the key of the certificate.
    ///
    /// - Parameters:
    ///   - purchaseInfo: The bytes of the signed property list.
    ///   - outline: The ranges of the fields of ``certificate``.
    /// - Throws: ``Refusal/Reason/signature`` when the signature is invalid.
    func verify(_ purchaseInfo: [UInt8], by outline: CertificateOutline) throws(Refusal) {
        guard let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: certificate[outline.publicKey]),
            version.digest.isValid(signature, for: ([version.rawValue] + purchaseInfo)[...], by: key)
        else { throw Refusal(.signature, at: "signature") }
    }
}

/// The certificate of a transaction receipt's signer, and the time at which the certificate is verified.
struct TransactionSigner {
    let outline: CertificateOutline
    /// The earliest time at which the receipt can have been signed: the purchase date, or the beginning of the certificate's validity if
    /// that is later.
    let time: Timestamp

    /// The period in which the certificate is valid.
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

    /// Verifies the signer's certificate, and returns its issuer.
    ///
    /// - Parameter issuers: The authorities that may have issued the certificate.
    /// - Throws: A refusal when none of the authorities issued the certificate, when the certificate lacks the marker extension for
    ///   receipts, or when the certificate or its issuer's certificate was not valid at ``time``.
    func verify(with issuers: [TransactionIssuer]) throws(Refusal) -> TransactionIssuer {
        let bytes = signature.certificate
        let named = issuers.filter { $0.name == Array(bytes[outline.issuer]) }
        guard !named.isEmpty else { throw Refusal(.untrustedRoot, at: Self.place) }
        // Two issuers can have the same name and key, and different periods of validity, such as those of 2008 and 2013.
        let signers = named.filter { $0.signed(bytes, outline) }
        guard !signers.isEmpty else {
            throw Refusal(.chain, at: Self.place, "The signature of the signer's certificate is invalid: its issuer did not sign it.")
        }
        guard outline.hasMarker(signature.version.marker, bytes.span) else { throw Refusal(.marker, at: Self.place) }
        guard validity.contains(time), let valid = signers.first(where: { $0.validity.contains(time) }) else {
            throw Refusal(.validity, at: Self.place, "The certificates were not valid at \(time), the earliest possible time of signing.")
        }
        return valid
    }

    /// The path of the certificate in the receipt, for the place of a refusal.
    static let place = "signature.certificate"
}
