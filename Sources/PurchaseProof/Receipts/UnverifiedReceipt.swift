/// A receipt that was read and that nobody has vouched for: anybody can have written it.
///
/// It is for looking at. Only a ``ReceiptVerifier`` makes a ``VerifiedReceipt``, and it does so from bytes.
public struct UnverifiedReceipt: Sendable {
    /// What it says.
    public let payload: ReceiptPayload

    let envelope: CMSEnvelope

    /// Reads a receipt file.
    ///
    /// Takes time in proportion to the bytes, and at most 64 times their memory.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` or ``Refusal/Reason/tooLarge(limit:)``, with the place where it stops to be a receipt.
    public init(_ bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= ReceiptVerifier.maximumSize else {
            throw Refusal(.tooLarge(limit: ReceiptVerifier.maximumSize), at: "size")
        }
        envelope = try CMSEnvelope(bytes)
        payload = try ReceiptPayload(envelope.source, envelope.contentRange, isFile: !envelope.isJoined)
    }

    /// The certificates as DER, in the order of the file: Apple sends leaf, intermediate and root, Xcode its only one.
    public var certificates: [[UInt8]] {
        envelope.certificates.map { Array(envelope.bytes[$0]) }
    }

    /// The digest that is signed, `SHA-1` or `SHA-256`.
    public var digest: String { envelope.digest.name }

    /// The algorithm of the signature as the file names it: `rsaEncryption` in Apple's, with its digest in Xcode's.
    public var signatureAlgorithm: String {
        envelope.signatureNamesDigest ? "\(envelope.digest.name) with RSA" : "rsaEncryption"
    }

    /// Whether the container has definite lengths and its content in one piece, like Apple's; Xcode's has neither.
    public var isDER: Bool { envelope.isDefinite }

    /// The size of the file in bytes.
    public var size: Int { envelope.bytes.count }

    /// The size of the signed content in bytes.
    public var contentSize: Int { envelope.contentRange.count }
}
