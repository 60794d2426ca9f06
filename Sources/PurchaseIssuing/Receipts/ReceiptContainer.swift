package import SwiftASN1

/// The PKCS #7 container of an app receipt before encoding.
///
/// ``ReceiptIssuer/container(for:)`` creates a valid container. Tests change parts of it to create invalid receipts.
///
/// ```
/// SEQUENCE {
///   OID signedData
///   [0] SEQUENCE {
///     INTEGER version
///     SET { SEQUENCE { OID digest, NULL } }
///     SEQUENCE { OID data, [0] OCTET STRING payload }
///     [0] certificates
///     SET { SEQUENCE signer }
///   }
/// }
/// ```
package struct ReceiptContainer: Sendable {
    /// The form of the encoding: the App Store's or Xcode's.
    package var form: ReceiptForm
    /// The content type of the container, which is `signedData` in a valid receipt.
    package var contentType: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
    /// The version of the format, which is 1 in a valid receipt.
    package var version = 1
    /// The digest algorithms that the container lists; a valid receipt lists the digest algorithm of its signer.
    package var digests: [ASN1ObjectIdentifier]
    /// The content type of the payload, which is `data` in a valid receipt.
    package var payloadType: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    /// The encoded attributes of the receipt; nil for a container without its payload.
    package var payload: [UInt8]?
    /// The certificates in DER, leaf first; nil for a container without the field for certificates.
    ///
    /// In Apple's receipts, the order is leaf, intermediate, root, which is not the order of a SET in DER.
    package var certificates: [[UInt8]]?
    /// The signers with their signatures; a valid receipt has one signer.
    package var signers: [ReceiptSignerInfo]
    /// The bytes that follow the container; a valid receipt has none.
    package var tail: [UInt8] = []

    /// The encoded receipt file.
    package var encoded: [UInt8] {
        get throws {
            let content = try form.layer(0x30, payloadType.derBytes + (payload.map { form.layer(0xA0, form.string($0)) } ?? []))
            var signedData = try version.derBytes
            signedData += try ReceiptForm.element(0x31, digests.flatMap { try ASN1Algorithm($0).derBytes })
            signedData += content
            if let certificates { signedData += ReceiptForm.element(0xA0, certificates.flatMap { $0 }) }
            signedData += try ReceiptForm.element(0x31, signers.flatMap { try $0.encoded })
            return try form.layer(0x30, contentType.derBytes + form.layer(0xA0, form.layer(0x30, signedData))) + tail
        }
    }
}
