/// The container of a receipt, read but not believed: a CMS `SignedData` of the one shape that receipts have.
///
/// ```
/// ContentInfo ::= SEQUENCE { signedData, [0] SEQUENCE {
///   INTEGER 1, SET { digest }, SEQUENCE { data, [0] OCTET STRING }, [0] certificates,
///   SET { SEQUENCE { INTEGER 1, SEQUENCE { issuer, serial }, digest, signature algorithm, signature } } } }
/// ```
///
/// What RFC 5652 allows beyond that is refused. Signed attributes above all: with them the signature is over something else
/// than the content, and two readers could believe two different things.
struct CMSEnvelope: Sendable {
    /// Apple sends three; more only make chain building dearer.
    static let maximumCertificates = 5
    /// How long one may be; Apple's have up to 1,500 bytes.
    ///
    /// The certificate library takes a hundred times the memory of what it reads.
    static let maximumCertificateSize = 8 << 10

    /// The whole receipt.
    let bytes: [UInt8]
    /// What the signed octets lie in: the bytes, or their chunks joined.
    let source: [UInt8]
    /// Where they lie there.
    let contentRange: Range<Int>
    /// Whether they came in chunks.
    let isJoined: Bool
    /// Where the certificates lie in the bytes.
    let certificates: [Range<Int>]
    /// What is signed.
    let digest: CMSDigest
    /// Whether the signature's algorithm names the digest again; Apple writes plain `rsaEncryption`, which does not.
    let signatureNamesDigest: Bool
    /// Whether the container is DER as far as lengths and strings go, like Apple's and unlike Xcode's.
    let isDefinite: Bool

    private let issuer: Range<Int>
    private let serial: Range<Int>
    private let signature: Range<Int>

    /// Reads a container in one pass.
    init(_ bytes: [UInt8]) throws(Refusal) {
        let span = bytes.span
        var reader = BERReader(0..<span.count)
        var place = "ContentInfo"
        do throws(ReadFault) {
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
                    throw ReadFault(.count(limit: Self.maximumCertificates), at: reader.position)
                }
                let certificate = try reader.skip(span)
                guard certificate.count <= Self.maximumCertificateSize else {
                    throw ReadFault(.count(limit: Self.maximumCertificateSize), at: certificate.lowerBound)
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
                throw ReadFault(.value, at: start)
            }
            self.digest = known
            place = "SignerInfo.signatureAlgorithm"
            let algorithm = try reader.algorithm(span)
            signatureNamesDigest = !span.holds(BERObject.rsaEncryption, at: algorithm)
            guard !signatureNamesDigest || known.isNamed(by: algorithm, span) else { throw ReadFault(.value, at: algorithm.lowerBound) }
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
            guard reader.isAtEnd(span) else { throw ReadFault(.excess, at: reader.position) }
        } catch { throw Refusal(error, at: place) }
        self.bytes = bytes
        isDefinite = reader.isDefinite
    }

    /// Whether the certificates are those of a chain, byte for byte, and its leaf is the one that the signer names.
    func carries(_ chain: ProvenChain) -> Bool {
        let span = bytes.span
        let (name, number) = (chain.issuer, chain.serial)
        guard certificates.count == chain.encoded.count, span.holds(number, at: serial), span.holds(name, at: issuer) else {
            return false
        }
        // As many, and each of the chain's among them: then there is no other, and none is there twice.
        for encoded in chain.encoded {
            var isThere = false
            for range in certificates where span.holds(encoded, at: range) { isThere = true }
            guard isThere else { return false }
        }
        return true
    }

    /// The certificate that the signer names, and the others, as DER.
    ///
    /// The leaf need not come first.
    func signerAndOthers() throws(Refusal) -> (signer: [UInt8], others: [[UInt8]]) {
        let span = bytes.span
        var signers: [[UInt8]] = []
        var others: [[UInt8]] = []
        for range in certificates {
            let certificate: CertificateOutline
            do throws(ReadFault) {
                certificate = try CertificateOutline(range, span)
            } catch { throw Refusal(error, at: "SignedData.certificates") }
            let isSigner = span.isSame(issuer, certificate.issuer) && span.isSame(serial, certificate.serial)
            if isSigner { signers.append(Array(bytes[range])) } else { others.append(Array(bytes[range])) }
        }
        guard let signer = signers.first, signers.count == 1 else {
            let detail = "Exactly one certificate was expected of that issuer and number."
            throw Refusal(.malformed, at: "SignerInfo.issuerAndSerialNumber", offset: issuer.lowerBound, detail)
        }
        return (signer, others)
    }

    /// Throws unless that key signed the content.
    func checkSignature(by key: SignerKey) throws(Refusal) {
        guard case .rsa(let key) = key, digest.isValid(bytes[signature], for: source[contentRange], by: key) else {
            throw Refusal(.signature, at: "SignerInfo.signature", offset: signature.lowerBound)
        }
    }
}

extension BERReader {
    /// Reads the OBJECT IDENTIFIER that must be there.
    fileprivate mutating func expect(_ identifier: [UInt8], _ bytes: Span<UInt8>) throws(ReadFault) {
        let start = position
        guard bytes.holds(identifier, at: try primitive(BERTag.objectIdentifier, bytes)) else { throw ReadFault(.value, at: start) }
    }

    /// Reads the version 1.
    fileprivate mutating func expectVersion(_ bytes: Span<UInt8>) throws(ReadFault) {
        let start = position
        guard try integer(bytes) == 1 else { throw ReadFault(.value, at: start) }
    }
}
