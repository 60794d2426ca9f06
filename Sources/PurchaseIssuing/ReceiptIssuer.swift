import Crypto
import CryptoExtras
import SwiftASN1
import X509

/// Signs app receipts as the App Store does.
package struct ReceiptIssuer: Sendable {
    private let authority: CertificateAuthority
    private let random: RandomBytes

    /// Creates an issuer.
    ///
    /// - Parameters:
    ///   - authority: Whose receipt chain signs.
    ///   - random: Fills attributes 4, 6 and 7, which differ in each receipt.
    package init(authority: CertificateAuthority, random: RandomBytes = .system) {
        self.authority = authority
        self.random = random
    }

    /// The receipt file: a PKCS#7 container in DER with three certificates.
    ///
    /// - Throws: ``IssuingError/deviceIsNoUUID``.
    package func issue(_ content: ReceiptContent) throws -> [UInt8] {
        try sign(content.encoded(random: random))
    }

    /// Wraps a payload: definite lengths, SHA-256, no signed attributes, the signature over the payload itself.
    package func sign(_ payload: [UInt8]) throws -> [UInt8] {
        let signature = try authority.receiptKey.signature(for: SHA256.hash(data: payload), padding: .insecurePKCS1v1_5)
        let chain = authority.receiptChain
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(Self.signedData)
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try coder.serialize(1)
                    try coder.appendConstructedNode(identifier: .set) { try $0.serializeAlgorithm(Self.sha256) }
                    try coder.appendConstructedNode(identifier: .sequence) { coder in
                        try coder.serialize(Self.data)
                        try coder.serialize(
                            ASN1OctetString(contentBytes: payload[...]), explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific
                        )
                    }
                    // Leaf, intermediate, root: the order of Apple's receipts, which is not that of a DER set.
                    try coder.appendConstructedNode(identifier: ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)) { coder in
                        for certificate in chain.certificates { try coder.serialize(certificate) }
                    }
                    try coder.appendConstructedNode(identifier: .set) { coder in
                        try coder.appendConstructedNode(identifier: .sequence) { coder in
                            try coder.serialize(1)
                            try coder.appendConstructedNode(identifier: .sequence) { coder in
                                try coder.serialize(chain.leaf.issuer)
                                try coder.serialize(chain.leaf.serialNumber.bytes)
                            }
                            try coder.serializeAlgorithm(Self.sha256)
                            try coder.serializeAlgorithm(.AlgorithmIdentifier.rsaEncryption)
                            try coder.serialize(ASN1OctetString(contentBytes: Array(signature.rawRepresentation)[...]))
                        }
                    }
                }
            }
        }
        return serializer.serializedBytes
    }

    private static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
    private static let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    private static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
}

extension DER.Serializer {
    /// Writes an AlgorithmIdentifier whose parameters are NULL.
    fileprivate mutating func serializeAlgorithm(_ identifier: ASN1ObjectIdentifier) throws {
        try appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(identifier)
            try coder.serialize(ASN1Null())
        }
    }
}
