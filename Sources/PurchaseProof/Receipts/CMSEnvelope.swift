import Crypto
import CryptoExtras
import Foundation

/// The CMS `SignedData` container of an app receipt, parsed and not verified.
///
/// ```
/// ContentInfo ::= SEQUENCE { signedData, [0] SEQUENCE {
///   INTEGER 1, SET { digest }, SEQUENCE { data, [0] OCTET STRING }, [0] certificates,
///   SET { SEQUENCE { INTEGER 1, SEQUENCE { issuer, serial }, digest, signature algorithm, signature } } } }
/// ```
///
/// The parser refuses all other structures that RFC 5652 allows, such as signed attributes: the signature would then cover the attributes
/// instead of the content, and two programs could read different content from the same receipt. swift-certificates has a parser of CMS,
/// which refuses the signature algorithm `rsaEncryption` of Apple's receipts.
struct CMSEnvelope: Sendable {
    /// The maximum number of certificates in a receipt.
    ///
    /// Apple's receipts have three certificates. More certificates would only make the search for the chain more expensive.
    static let maximumCertificates = 5
    /// The maximum size of a certificate in bytes.
    ///
    /// Apple's certificates have up to 1,500 bytes. While it parses a certificate, swift-certificates can use a hundred times the size of
    /// the certificate as memory.
    static let maximumCertificateSize = 8 << 10

    /// The bytes of the receipt file.
    let bytes: [UInt8]
    /// The bytes that contain the signed content: the receipt file, or a copy of the content whose chunks are joined.
    let source: [UInt8]
    /// The range of the signed content in ``source``.
    let contentRange: Range<Int>
    /// Whether the signed content consists of several chunks in the file, so that ``source`` is a joined copy.
    let isJoined: Bool
    /// The ranges of the certificates in ``bytes``.
    let certificates: [Range<Int>]
    /// The digest algorithm of the signature.
    let digest: CMSDigest
    /// Whether the identifier of the signature algorithm includes the digest algorithm, such as `sha256WithRSAEncryption`.
    ///
    /// Receipts from Apple state `rsaEncryption`, which includes no digest algorithm.
    let signatureNamesDigest: Bool
    /// Whether all values of the container have definite lengths and no chunks, as in receipts from Apple, and not as in those from Xcode.
    let isDefinite: Bool

    private let issuer: Range<Int>
    private let serial: Range<Int>
    private let signature: Range<Int>

    /// Parses the container of a receipt file in one pass.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` or ``Refusal/Reason/tooLarge(limit:)``, with the place of the first error.
    init(_ bytes: [UInt8]) throws(Refusal) {
        let span = bytes.span
        var reader = BERReader(0..<span.count)
        var place = "ContentInfo"
        do throws(ParseError) {
            let contentInfo = try reader.open(BERTag.sequence, span)
            place = "ContentInfo.contentType"
            try reader.expect(BERObject.signedData, span)
            place = "ContentInfo.content"
            let wrapper = try reader.open(BERTag.context(0), span)
            place = "SignedData"
            let signedData = try reader.open(BERTag.sequence, span)
            place = "SignedData.version"
            try reader.expectVersion(span)
            place = "SignedData.digestAlgorithms"
            let digests = try reader.open(BERTag.set, span)
            let digest = try reader.algorithm(span)
            try reader.close(digests, span)

            place = "SignedData.encapContentInfo"
            let encapsulated = try reader.open(BERTag.sequence, span)
            place = "SignedData.encapContentInfo.eContentType"
            try reader.expect(BERObject.data, span)
            place = "SignedData.encapContentInfo.eContent"
            let explicit = try reader.open(BERTag.context(0), span)
            switch try reader.octets(span) {
            case .piece(let range): (source, contentRange, isJoined) = (bytes, range, false)
            case .joined(let octets): (source, contentRange, isJoined) = (octets, 0..<octets.count, true)
            }
            try reader.close(explicit, span)
            try reader.close(encapsulated, span)

            place = "SignedData.certificates"
            let set = try reader.open(BERTag.context(0), span)
            var certificates: [Range<Int>] = []
            while !reader.isAtEnd(span) {
                guard certificates.count < Self.maximumCertificates else {
                    throw ParseError(.count(limit: Self.maximumCertificates), at: reader.position)
                }
                let certificate = try reader.skip(span)
                guard certificate.count <= Self.maximumCertificateSize else {
                    throw ParseError(.count(limit: Self.maximumCertificateSize), at: certificate.lowerBound)
                }
                certificates.append(certificate)
            }
            self.certificates = certificates
            try reader.close(set, span)

            place = "SignedData.signerInfos"
            let signers = try reader.open(BERTag.set, span)
            place = "SignerInfo"
            let signer = try reader.open(BERTag.sequence, span)
            place = "SignerInfo.version"
            try reader.expectVersion(span)
            place = "SignerInfo.issuerAndSerialNumber"
            let name = try reader.open(BERTag.sequence, span)
            issuer = try reader.skip(span)
            serial = try reader.primitive(BERTag.integer, span)
            try reader.close(name, span)
            place = "SignerInfo.digestAlgorithm"
            let start = reader.position
            guard let known = CMSDigest(digest, span), span.holds(span.extracting(digest), at: try reader.algorithm(span)) else {
                throw ParseError(.value, at: start)
            }
            self.digest = known
            place = "SignerInfo.signatureAlgorithm"
            let algorithm = try reader.algorithm(span)
            signatureNamesDigest = !span.holds(BERObject.rsaEncryption, at: algorithm)
            guard !signatureNamesDigest || known.isNamed(by: algorithm, span) else { throw ParseError(.value, at: algorithm.lowerBound) }
            place = "SignerInfo.signature"
            signature = try reader.primitive(BERTag.octetString, span)
            place = "SignerInfo"
            try reader.close(signer, span)
            place = "SignedData.signerInfos"
            try reader.close(signers, span)
            place = "SignedData"
            try reader.close(signedData, span)
            place = "ContentInfo"
            try reader.close(wrapper, span)
            try reader.close(contentInfo, span)
            guard reader.isAtEnd(span) else { throw ParseError(.excess, at: reader.position) }
        } catch { throw Refusal(error, at: place) }
        self.bytes = bytes
        isDefinite = reader.isDefinite
    }

    /// Returns whether the receipt contains exactly the certificates of a verified chain, in any order, and names the chain's leaf as its
    /// signer.
    func carries(_ chain: VerifiedChain) -> Bool {
        let span = bytes.span
        let (name, number) = (chain.issuer, chain.serial)
        guard certificates.count == chain.encoded.count, span.holds(number, at: serial), span.holds(name, at: issuer) else {
            return false
        }
        // The receipt has as many certificates as the chain, so it contains no others if it contains each certificate of the chain.
        for encoded in chain.encoded {
            var isIncluded = false
            for range in certificates where span.holds(encoded, at: range) { isIncluded = true }
            guard isIncluded else { return false }
        }
        return true
    }

    /// The SHA-256 of the signed content, which does not depend on the encoding of the container.
    var contentDigest: [UInt8] { Array(SHA256.hash(data: source[contentRange])) }

    /// Returns the certificate of the signer and the other certificates, as DER.
    ///
    /// The signer's certificate is the one with the issuer and the serial number that the receipt names. It need not be the first.
    ///
    /// - Throws: When a certificate is malformed, or when not exactly one certificate is the signer's.
    func signerAndOthers() throws(Refusal) -> (signer: [UInt8], others: [[UInt8]]) {
        let span = bytes.span
        var signers: [[UInt8]] = []
        var others: [[UInt8]] = []
        for range in certificates {
            let certificate: CertificateOutline
            do throws(ParseError) {
                certificate = try CertificateOutline(range, span)
            } catch { throw Refusal(error, at: "SignedData.certificates") }
            let isSigner = span.isSame(issuer, certificate.issuer) && span.isSame(serial, certificate.serial)
            if isSigner { signers.append(Array(bytes[range])) } else { others.append(Array(bytes[range])) }
        }
        guard let signer = signers.first, signers.count == 1 else {
            let detail = "Exactly one certificate must have the issuer and the serial number that the SignerInfo states."
            throw Refusal(.malformed, at: "SignerInfo.issuerAndSerialNumber", offset: issuer.lowerBound, detail)
        }
        return (signer, others)
    }

    /// Verifies the signature of the content with a public key.
    ///
    /// - Throws: ``Refusal/Reason/signature`` when the signature is invalid, or when the key is not an RSA key.
    func verifySignature(by key: SignerKey) throws(Refusal) {
        guard case .rsa(let key) = key, digest.isValid(bytes[signature], for: source[contentRange], by: key) else {
            throw Refusal(.signature, at: "SignerInfo.signature", offset: signature.lowerBound)
        }
    }
}

extension BERReader {
    /// Reads an OBJECT IDENTIFIER, and throws when it is not the expected one.
    fileprivate mutating func expect(_ identifier: [UInt8], _ bytes: Span<UInt8>) throws(ParseError) {
        let start = position
        guard bytes.holds(identifier, at: try primitive(BERTag.objectIdentifier, bytes)) else { throw ParseError(.value, at: start) }
    }

    /// Reads a version number, and throws when it is not 1.
    fileprivate mutating func expectVersion(_ bytes: Span<UInt8>) throws(ParseError) {
        let start = position
        guard try integer(bytes) == 1 else { throw ParseError(.value, at: start) }
    }
}

/// The digest algorithms of Apple's receipts: SHA-1 in receipts until January 2025, and SHA-256 in receipts since 2023.
enum CMSDigest: Sendable {
    case sha1
    case sha256

    /// Creates the digest algorithm from the content octets of its OBJECT IDENTIFIER; nil for other algorithms.
    init?(_ identifier: Range<Int>, _ bytes: Span<UInt8>) {
        if bytes.holds(BERObject.sha256, at: identifier) {
            self = .sha256
        } else if bytes.holds(BERObject.sha1, at: identifier) {
            self = .sha1
        } else {
            return nil
        }
    }

    /// Returns whether a signature algorithm is RSA with this digest algorithm.
    ///
    /// - Parameters:
    ///   - signatureAlgorithm: The range of the content octets of the signature algorithm's OBJECT IDENTIFIER.
    ///   - bytes: The bytes that contain the range.
    func isNamed(by signatureAlgorithm: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let named =
            switch self {
            case .sha1: BERObject.sha1WithRSA
            case .sha256: BERObject.sha256WithRSA
            }
        return bytes.holds(named, at: signatureAlgorithm)
    }

    /// Returns whether an RSA signature (PKCS #1 v1.5) of content with this digest algorithm is valid for a key.
    func isValid(_ signature: ArraySlice<UInt8>, for content: ArraySlice<UInt8>, by key: _RSA.Signing.PublicKey) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: Data(signature))
        return switch self {
        case .sha1: key.isValidSignature(signature, for: Insecure.SHA1.hash(data: content), padding: .insecurePKCS1v1_5)
        case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: content), padding: .insecurePKCS1v1_5)
        }
    }

    /// The name of the digest algorithm.
    var name: String {
        switch self {
        case .sha1: "SHA-1"
        case .sha256: "SHA-256"
        }
    }
}
