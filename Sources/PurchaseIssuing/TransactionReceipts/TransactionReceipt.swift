import Foundation

/// The receipt of one transaction before it is written: a good one as ``TransactionReceiptIssuer/receipt(for:in:)`` makes it,
/// until a test changes a part.
package struct TransactionReceipt: Sendable {
    /// The list that is signed.
    package var purchaseInfo: [UInt8]
    /// The version of the signature's format, 2.
    package var version: UInt8 = 2
    /// The signature.
    package var signature: [UInt8]
    /// The certificate of the signing key, in DER.
    package var certificate: [UInt8]
    /// The length that is stated for the certificate; nil for the true one.
    package var statedCertificateLength: UInt32?
    /// Bytes after the certificate; none.
    package var tail: [UInt8] = []
    /// `Sandbox`; nil in production.
    package var environment: String?
    /// Which of the store's machines signed.
    package var pod = "100"
    /// `0`.
    package var signingStatus = "0"

    /// Version, signature, length of the certificate in four bytes, certificate.
    package var signatureBlob: [UInt8] {
        let length = statedCertificateLength ?? UInt32(truncatingIfNeeded: certificate.count)
        let lengthBytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: length >> $0) }
        return [version] + signature + lengthBytes + certificate + tail
    }

    /// The property list.
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
