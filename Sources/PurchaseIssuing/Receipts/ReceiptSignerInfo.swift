package import SwiftASN1

/// The SignerInfo of a receipt's container: it identifies the signer's certificate, and contains the signature.
package struct ReceiptSignerInfo: Sendable {
    /// The version of the format, which is 1 in a valid receipt.
    package var version = 1
    /// The issuer's name in the signer's certificate, in DER.
    package var issuer: [UInt8]
    /// The bytes of the serial number of the signer's certificate, without leading zeros.
    package var serialNumber: [UInt8]
    /// The object identifier of the digest algorithm.
    package var digest: ASN1ObjectIdentifier
    /// The signed attributes, a SET in DER; nil if the signature covers the payload itself, as in every known receipt.
    package var signedAttributes: [UInt8]?
    /// The object identifier of the signature algorithm.
    package var signatureAlgorithm: ASN1ObjectIdentifier
    /// The bytes of the RSA signature.
    package var signature: [UInt8]
    /// The unsigned attributes, a SET in DER; nil in a valid receipt.
    package var unsignedAttributes: [UInt8]?

    /// The SignerInfo in DER.
    package var encoded: [UInt8] {
        get throws {
            var info = try version.derBytes
            info += try ReceiptForm.element(0x30, issuer + serialNumber[...].derBytes)
            info += try ASN1Algorithm(digest).derBytes
            // The attributes are signed as a SET and encoded as [0].
            if let signedAttributes { info += [0xA0] + signedAttributes.dropFirst() }
            info += try ASN1Algorithm(signatureAlgorithm).derBytes
            info += ReceiptForm.element(0x04, signature)
            if let unsignedAttributes { info += [0xA1] + unsignedAttributes.dropFirst() }
            return ReceiptForm.element(0x30, info)
        }
    }

    /// Returns the SET of CMS signed attributes for a payload, in DER: the content type `data` and the payload's digest.
    package static func attributes(for payload: [UInt8], digest: ReceiptDigest) throws -> [UInt8] {
        func attribute(_ type: ASN1ObjectIdentifier, _ value: [UInt8]) throws -> [UInt8] {
            try ReceiptForm.element(0x30, type.derBytes + ReceiptForm.element(0x31, value))
        }
        let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
        // DER requires the sorted order, in which the shorter attribute is first.
        let attributes =
            try attribute([1, 2, 840, 113549, 1, 9, 3], data.derBytes)
            + attribute([1, 2, 840, 113549, 1, 9, 4], ReceiptForm.element(0x04, digest.hash(payload)))
        return ReceiptForm.element(0x31, attributes)
    }
}
