import SwiftASN1

/// The object identifiers in receipts and certificates, each as the content octets of its OBJECT IDENTIFIER.
enum BERObject {
    /// The CMS content type `data`, of the signed content in a receipt: `1.2.840.113549.1.7.1`.
    static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    /// The CMS content type `signedData`, of the receipt itself: `1.2.840.113549.1.7.2`.
    static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    /// The digest algorithm SHA-1: `1.3.14.3.2.26`.
    static let sha1: [UInt8] = [0x2B, 0x0E, 0x03, 0x02, 0x1A]
    /// The digest algorithm SHA-256: `2.16.840.1.101.3.4.2.1`.
    static let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
    /// The signature algorithm RSA, without a digest algorithm: `1.2.840.113549.1.1.1`.
    static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    /// The signature algorithm RSA with SHA-1: `1.2.840.113549.1.1.5`.
    static let sha1WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05]
    /// The signature algorithm RSA with SHA-256: `1.2.840.113549.1.1.11`.
    static let sha256WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]
    /// The signature algorithm ECDSA with SHA-384: `1.2.840.10045.4.3.3`.
    static let ecdsaWithSHA384: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]
    /// The marker extension of certificates that sign app receipts and signed data: `1.2.840.113635.100.6.11.1`.
    static let purchaseMarker: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x0B, 0x01]
    /// The marker extension of certificates that sign transaction receipts only: `1.2.840.113635.100.6.5.1`.
    static let transactionReceiptMarker: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x05, 0x01]
}

/// The identifier octets of the ASN.1 types in receipts and certificates.
enum BERTag {
    static let boolean: UInt8 = 0x01
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let null: UInt8 = 0x05
    static let objectIdentifier: UInt8 = 0x06
    static let utf8String: UInt8 = 0x0C
    static let ia5String: UInt8 = 0x16
    static let utcTime: UInt8 = 0x17
    static let generalizedTime: UInt8 = 0x18
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    /// A constructed OCTET STRING, which consists of chunks.
    static let chunkedOctetString: UInt8 = 0x24

    /// Returns the identifier octet of a constructed value with the context-specific tag `[number]`.
    static func context(_ number: UInt8) -> UInt8 { 0xA0 | number }
}

extension ASN1Identifier {
    /// Returns the identifier with the context-specific tag `[number]`.
    static func context(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}
