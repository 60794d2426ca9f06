package import SwiftASN1

/// A receipt's PKCS#7 container before it is written: a good one as ``ReceiptIssuer/container(for:)`` makes it, until a test
/// changes a part.
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
    /// How it is written.
    package var form: ReceiptForm
    /// What the whole says it is; `signedData`.
    package var contentType: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
    /// The version of the format, 1.
    package var version = 1
    /// The digests that it announces: the signer's.
    package var digests: [ASN1ObjectIdentifier]
    /// What the content says it is; `data`.
    package var payloadType: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    /// The content; nil for a container whose content travels apart from it.
    package var payload: [UInt8]?
    /// The certificates in DER, leaf first; nil leaves the whole field out.
    ///
    /// Leaf, intermediate, root: the order of Apple's receipts, which is not that of a DER set.
    package var certificates: [[UInt8]]?
    /// Whoever signed: one.
    package var signers: [ReceiptSigner]
    /// Bytes after the end; none.
    package var tail: [UInt8] = []

    /// The file.
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
