package import SwiftASN1

/// A receipt's PKCS#7 container before encoding.
///
/// ``ReceiptIssuer/container(for:)`` creates a valid container, of which a test can change a part.
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
    /// The form of the encoding.
    package var form: ReceiptForm
    /// The content type of the container; `signedData`.
    package var contentType: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
    /// The version of the format, 1.
    package var version = 1
    /// The digest algorithms that the container announces: the signer's.
    package var digests: [ASN1ObjectIdentifier]
    /// The content type of the payload; `data`.
    package var payloadType: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    /// The payload; nil for a container with a detached payload.
    package var payload: [UInt8]?
    /// The certificates in DER, leaf first; nil omits the field.
    ///
    /// The order of Apple's receipts is leaf, intermediate, root, which is not the order of a DER set.
    package var certificates: [[UInt8]]?
    /// The signers; one in a valid receipt.
    package var signers: [ReceiptSigner]
    /// Bytes after the end; none in a valid receipt.
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
