import SwiftASN1
import X509

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
struct CMSEnvelope {
    /// Apple sends three; more only make chain building dearer.
    static let maximumCertificates = 5

    /// The signed octets.
    let content: ArraySlice<UInt8>
    /// The certificate that the signer names.
    let signer: Certificate
    /// The same as DER.
    let encodedSigner: [UInt8]
    /// The other certificates as DER.
    let encodedOthers: [[UInt8]]

    private let digest: CMSDigest
    private let signature: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) throws(Refusal) {
        var contentInfo = try ASN1Fields(parsing: bytes[...], as: .sequence, path: "ContentInfo")
        guard try contentInfo.objectIdentifier("contentType") == [1, 2, 840, 113549, 1, 7, 2] else {
            throw Refusal(.malformed, at: "ContentInfo.contentType")
        }
        var wrapper = try contentInfo.fields("content", as: .context(0))
        try contentInfo.end()
        let root = try wrapper.next("SignedData")
        try wrapper.end()

        var signedData = try ASN1Fields(root, as: .sequence, path: "SignedData")
        guard try signedData.integer("version") == 1 else { throw Refusal(.malformed, at: "SignedData.version") }
        var digests = try signedData.fields("digestAlgorithms", as: .set)
        let digestAlgorithm = try digests.algorithm("first")
        try digests.end()

        var encapsulated = try signedData.fields("encapContentInfo", as: .sequence)
        guard try encapsulated.objectIdentifier("eContentType") == [1, 2, 840, 113549, 1, 7, 1] else {
            throw Refusal(.malformed, at: "SignedData.encapContentInfo.eContentType")
        }
        var explicit = try encapsulated.fields("eContent", as: .context(0))
        try encapsulated.end()
        content = try explicit.octets("octets")
        try explicit.end()

        let certificates = try Self.certificates(signedData.fields("certificates", as: .context(0)))
        var signers = try signedData.fields("signerInfos", as: .set)
        try signedData.end()
        var info = try ASN1Fields(signers.next("first"), as: .sequence, path: "SignerInfo")
        try signers.end()

        guard try info.integer("version") == 1 else { throw Refusal(.malformed, at: "SignerInfo.version") }
        var name = try info.fields("issuerAndSerialNumber", as: .sequence)
        let issuer = try name.next("issuer")
        let serial = try name.next("serialNumber")
        try name.end()
        guard try info.algorithm("digestAlgorithm") == digestAlgorithm, let digest = CMSDigest(digestAlgorithm) else {
            throw Refusal(.malformed, at: "SignerInfo.digestAlgorithm")
        }
        guard try digest.agrees(with: info.algorithm("signatureAlgorithm")) else {
            throw Refusal(.malformed, at: "SignerInfo.signatureAlgorithm")
        }
        self.digest = digest
        signature = try info.octets("signature")
        try info.end()

        guard let issuer = try? DistinguishedName(derEncoded: issuer), let serial = try? ArraySlice<UInt8>(derEncoded: serial) else {
            throw Refusal(.malformed, at: "SignerInfo.issuerAndSerialNumber")
        }
        let isSigner = { (certificate: (Certificate, [UInt8])) in
            certificate.0.issuer == issuer && certificate.0.serialNumber.bytes == serial
        }
        guard let signer = certificates.first(where: isSigner), certificates.filter(isSigner).count == 1 else {
            throw Refusal(.malformed, at: "SignerInfo.issuerAndSerialNumber")
        }
        (self.signer, encodedSigner) = signer
        encodedOthers = certificates.filter { !isSigner($0) }.map(\.1)
    }

    /// Throws unless the signer's key signed the content.
    ///
    /// Says nothing about who the signer is.
    func checkSignature() throws(Refusal) {
        guard digest.isValid(signature, for: content, by: signer.publicKey) else {
            throw Refusal(.signature, at: "SignerInfo.signature")
        }
    }

    private static func certificates(_ fields: ASN1Fields) throws(Refusal) -> [(Certificate, [UInt8])] {
        var fields = fields
        var certificates: [(Certificate, [UInt8])] = []
        while let node = fields.nextIfAny() {
            // Parsed anew as DER: certificates keep their own rules inside of a BER container.
            guard certificates.count < maximumCertificates, let certificate = try? Certificate(derEncoded: Array(node.encodedBytes)) else {
                throw Refusal(.malformed, at: "SignedData.certificates")
            }
            certificates.append((certificate, Array(node.encodedBytes)))
        }
        return certificates
    }
}
