import Crypto
import CryptoExtras
import Foundation

/// The container of a receipt, parsed and not verified: a CMS `SignedData` with the structure of receipts.
///
/// ```
/// ContentInfo ::= SEQUENCE { signedData, [0] SEQUENCE {
///   INTEGER 1, SET { digest }, SEQUENCE { data, [0] OCTET STRING }, [0] certificates,
///   SET { SEQUENCE { INTEGER 1, SEQUENCE { issuer, serial }, digest, signature algorithm, signature } } } }
/// ```
///
/// Everything else that RFC 5652 allows is refused. With signed attributes, the signature would cover them instead of the content, so two
/// readers could accept different content.
struct CMSEnvelope: Sendable {
    /// The maximum number of certificates.
    ///
    /// Apple's receipts have three. Further certificates would only make chain building more expensive.
    static let maximumCertificates = 5
    /// The maximum size of a certificate in bytes.
    ///
    /// Apple's certificates have up to 1,500 bytes. The certificate library uses a hundred times the memory of a parsed certificate.
    static let maximumCertificateSize = 8 << 10

    /// The whole receipt.
    let bytes: [UInt8]
    /// The bytes that contain the signed octets: the receipt, or the joined chunks.
    let source: [UInt8]
    /// The range of the signed octets in ``source``.
    let contentRange: Range<Int>
    /// Whether the signed octets were chunked.
    let isJoined: Bool
    /// The ranges of the certificates in ``bytes``.
    let certificates: [Range<Int>]
    /// The digest algorithm of the signature.
    let digest: CMSDigest
    /// Whether the signature algorithm includes the digest algorithm.
    ///
    /// Apple writes `rsaEncryption`, which does not.
    let signatureNamesDigest: Bool
    /// Whether lengths and strings of the container are DER, like Apple's and unlike Xcode's.
    let isDefinite: Bool

    private let issuer: Range<Int>
    private let serial: Range<Int>
    private let signature: Range<Int>

    /// Parses a container in one pass.
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

    /// Whether the certificates are those of a chain, byte for byte, and its leaf is the one that the signer names.
    func carries(_ chain: VerifiedChain) -> Bool {
        let span = bytes.span
        let (name, number) = (chain.issuer, chain.serial)
        guard certificates.count == chain.encoded.count, span.holds(number, at: serial), span.holds(name, at: issuer) else {
            return false
        }
        // The numbers are equal and every certificate of the chain is included, so there are no others and no duplicates.
        for encoded in chain.encoded {
            var isIncluded = false
            for range in certificates where span.holds(encoded, at: range) { isIncluded = true }
            guard isIncluded else { return false }
        }
        return true
    }

    /// The certificate of the signer, and the others, as DER.
    ///
    /// The signer's certificate need not be the first.
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
            let detail = "Exactly one certificate must have the signer's issuer and serial number."
            throw Refusal(.malformed, at: "SignerInfo.issuerAndSerialNumber", offset: issuer.lowerBound, detail)
        }
        return (signer, others)
    }

    /// Throws unless the signature of the content is valid for a key.
    func verifySignature(by key: SignerKey) throws(Refusal) {
        guard case .rsa(let key) = key, digest.isValid(bytes[signature], for: source[contentRange], by: key) else {
            throw Refusal(.signature, at: "SignerInfo.signature", offset: signature.lowerBound)
        }
    }
}

extension BERReader {
    /// Reads an expected OBJECT IDENTIFIER.
    fileprivate mutating func expect(_ identifier: [UInt8], _ bytes: Span<UInt8>) throws(ParseError) {
        let start = position
        guard bytes.holds(identifier, at: try primitive(BERTag.objectIdentifier, bytes)) else { throw ParseError(.value, at: start) }
    }

    /// Reads version 1.
    fileprivate mutating func expectVersion(_ bytes: Span<UInt8>) throws(ParseError) {
        let start = position
        guard try integer(bytes) == 1 else { throw ParseError(.value, at: start) }
    }
}

/// The digest algorithms of receipts: SHA-1 until January 2025, SHA-256 since 2023.
enum CMSDigest: Sendable {
    case sha1
    case sha256

    /// The algorithm with an OBJECT IDENTIFIER.
    init?(_ identifier: Range<Int>, _ bytes: Span<UInt8>) {
        if bytes.holds(BERObject.sha256, at: identifier) {
            self = .sha256
        } else if bytes.holds(BERObject.sha1, at: identifier) {
            self = .sha1
        } else {
            return nil
        }
    }

    /// Whether a signature algorithm includes this digest algorithm.
    func isNamed(by signatureAlgorithm: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let named =
            switch self {
            case .sha1: BERObject.sha1WithRSA
            case .sha256: BERObject.sha256WithRSA
            }
        return bytes.holds(named, at: signatureAlgorithm)
    }

    /// Whether a PKCS#1 v1.5 signature of content is valid.
    func isValid(_ signature: ArraySlice<UInt8>, for content: ArraySlice<UInt8>, by key: _RSA.Signing.PublicKey) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: Data(signature))
        return switch self {
        case .sha1: key.isValidSignature(signature, for: Insecure.SHA1.hash(data: content), padding: .insecurePKCS1v1_5)
        case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: content), padding: .insecurePKCS1v1_5)
        }
    }

    /// The name of the algorithm.
    var name: String {
        switch self {
        case .sha1: "SHA-1"
        case .sha256: "SHA-256"
        }
    }
}
