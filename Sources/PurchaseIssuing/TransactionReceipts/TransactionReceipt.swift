import Foundation

/// The receipt of one transaction before encoding.
///
/// ``TransactionReceiptIssuer/receipt(for:in:)`` creates a valid receipt, of which a test can change a part.
package struct TransactionReceipt: Sendable {
    /// The signed property list.
    package var purchaseInfo: [UInt8]
    /// The version of the signature's format, 2.
    package var version: UInt8 = 2
    /// The signature.
    package var signature: [UInt8]
    /// The signing key's certificate, in DER.
    package var certificate: [UInt8]
    /// The stated length of the certificate; nil for the actual length.
    package var statedCertificateLength: UInt32?
    /// Bytes after the certificate; none in a valid receipt.
    package var tail: [UInt8] = []
    /// `Sandbox`; nil in production.
    package var environment: String?
    /// The identifier of the store's server that signed.
    package var pod = "100"
    /// The signing status, `0`.
    package var signingStatus = "0"

    /// The signature blob: version, signature, length of the certificate in four bytes, certificate.
    package var signatureBlob: [UInt8] {
        let length = statedCertificateLength ?? UInt32(truncatingIfNeeded: certificate.count)
        let lengthBytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: length >> $0) }
        return [version] + signature + lengthBytes + certificate + tail
    }

    /// The encoded property list.
    package var encoded: [UInt8] {
        var members: [(key: String, value: String)] = [
            ("signature", Data(signatureBlob).base64EncodedString()),
            ("purchase-info", Data(purchaseInfo).base64EncodedString()),
        ]
        if let environment { members.append(("environment", environment)) }
        members += [("pod", pod), ("signing-status", signingStatus)]
        return PropertyList.encode(members)
    }
}
