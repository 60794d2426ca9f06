import Foundation

/// The receipt of one transaction before encoding (`SKPaymentTransaction.transactionReceipt`, iOS 6 and earlier).
///
/// ``TransactionReceiptIssuer/receipt(for:in:)`` creates a valid receipt. Tests change parts of it to create invalid receipts.
package struct TransactionReceipt: Sendable {
    /// The property list `purchase-info`, which the signature covers.
    package var purchaseInfo: [UInt8]
    /// The version of the signature's format.
    package var version: UInt8 = 2
    /// The bytes of the RSA signature.
    package var signature: [UInt8]
    /// The certificate of the signing key, in DER.
    package var certificate: [UInt8]
    /// The length in bytes that the receipt states for the certificate; nil for the actual length.
    package var statedCertificateLength: UInt32?
    /// The bytes that follow the certificate; a valid receipt has none.
    package var tail: [UInt8] = []
    /// The environment that the receipt states, such as `Sandbox`; nil in production.
    package var environment: String?
    /// The member `pod`, which names the App Store server that signed the receipt.
    package var pod = "100"
    /// The member `signing-status`, which is `0` in all known receipts.
    package var signingStatus = "0"

    /// The content of the member `signature`: version, signature, length of the certificate in four bytes, and certificate.
    package var signatureBlob: [UInt8] {
        let length = statedCertificateLength ?? UInt32(truncatingIfNeeded: certificate.count)
        let lengthBytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: length >> $0) }
        return [version] + signature + lengthBytes + certificate + tail
    }

    /// The bytes of the receipt, which are a property list.
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
