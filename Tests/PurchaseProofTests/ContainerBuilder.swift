import Crypto
import CryptoExtras
import Foundation
import PurchaseTestSupport
import SwiftASN1
import X509

@testable import PurchaseIssuing

/// Builds receipt containers byte by byte, in forms that the issuer does not produce.
struct ContainerBuilder {
    var payload: [UInt8]
    var version: UInt8 = 1
    var sha1 = false
    var signatureAlgorithm: [UInt8] = Self.rsaEncryption
    /// Whether the outer elements have indefinite lengths and the payload has two chunks.
    var xcodeShape = false
    var certificates: [[UInt8]]
    var signerInfoCopies = 1
    var signedAttributes: [UInt8] = []
    var unsignedAttributes: [UInt8] = []
    var detached = false
    var contentType: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    var payloadType: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    var digestCopies = 1
    var signerVersion: UInt8 = 1
    var revocationLists: [UInt8] = []
    /// The encoded octet string with the payload, or nil for the form that `xcodeShape` selects.
    var payloadString: [UInt8]?
    var trailing: [UInt8] = []

    private let authority: CertificateAuthority

    static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    static let sha256WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]
    static let sha1WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05]
    static let md5WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x04]

    init(payload: [UInt8], by authority: TestAuthority = .shared) throws {
        self.payload = payload
        self.authority = authority.authority
        certificates = try authority.authority.receiptChain.certificates.map { certificate in
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return serializer.serializedBytes
        }
    }

    func build() throws -> [UInt8] {
        let digestOID: [UInt8] = sha1 ? [0x2B, 0x0E, 0x03, 0x02, 0x1A] : [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        let digest = tlv(0x30, tlv(0x06, digestOID) + [0x05, 0x00])
        let key = authority.receiptKey
        let signature =
            sha1
            ? try key.signature(for: Insecure.SHA1.hash(data: payload), padding: .insecurePKCS1v1_5)
            : try key.signature(for: SHA256.hash(data: payload), padding: .insecurePKCS1v1_5)
        var name = DER.Serializer()
        try name.serialize(authority.receiptChain.leaf.issuer)
        let signer = tlv(0x30, name.serializedBytes + tlv(0x02, [0] + authority.receiptChain.leaf.serialNumber.bytes))
        let signerInfo = tlv(
            0x30,
            tlv(0x02, [signerVersion]) + signer + digest + signedAttributes + tlv(0x30, tlv(0x06, signatureAlgorithm) + [0x05, 0x00])
                + tlv(0x04, Array(signature.rawRepresentation)) + unsignedAttributes
        )
        let half = payload.count / 2
        let octets =
            payloadString
            ?? (xcodeShape
                ? outer(0x24, tlv(0x04, Array(payload[..<half])) + tlv(0x04, Array(payload[half...]))) : tlv(0x04, payload))
        let data = tlv(0x06, payloadType)
        let content = outer(0x30, detached ? data : data + outer(0xA0, octets))
        let signerInfos = tlv(0x31, (0..<signerInfoCopies).flatMap { _ in signerInfo })
        let signedData = outer(
            0x30,
            tlv(0x02, [version]) + tlv(0x31, (0..<digestCopies).flatMap { _ in digest }) + content + tlv(0xA0, certificates.flatMap { $0 })
                + revocationLists + signerInfos
        )
        return outer(0x30, tlv(0x06, contentType) + outer(0xA0, signedData)) + trailing
    }

    /// Returns an element of definite length.
    func tlv(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch content.count {
        case ..<128: [tag, UInt8(content.count)] + content
        case ..<256: [tag, 0x81, UInt8(content.count)] + content
        default: [tag, 0x83] + [16, 8, 0].map { UInt8(truncatingIfNeeded: content.count >> $0) } + content
        }
    }

    private func outer(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        xcodeShape ? [tag, 0x80] + content + [0, 0] : tlv(tag, content)
    }
}
