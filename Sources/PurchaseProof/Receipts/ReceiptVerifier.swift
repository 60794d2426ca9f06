/// Turns receipt bytes into facts, or says what is wrong with them.
///
/// The order is the one that Apple asks for: read the container and its content, judge the chain at the creation date that the
/// content states, check the signature over that content, and only then ask what it says. The device's clock has no part in it.
public struct ReceiptVerifier: Sendable {
    /// The longest receipt that is read, in bytes: about 2,600 purchases.
    ///
    /// The longest of Apple that we know has 79,104. Reading costs up to 100 times the memory of the bytes when they are hostile.
    public static let maximumSize = 1 << 20

    private let roots: TrustedRoots
    private let checks: [any ReceiptCheck]

    /// Creates a verifier.
    ///
    /// Taking the first check apart from the rest makes a verifier that checks nothing impossible to write.
    public init(roots: TrustedRoots, _ first: any ReceiptCheck, _ rest: any ReceiptCheck...) {
        self.roots = roots
        checks = [first] + rest
    }

    /// Returns what the receipt proves.
    ///
    /// Hostile bytes are expected here: they throw, they never trap.
    @concurrent
    public func verify(_ bytes: [UInt8]) async throws(ReceiptError) -> VerifiedReceipt {
        guard bytes.count <= Self.maximumSize else { throw .malformed(path: "size") }
        let envelope = try CMSEnvelope(bytes)
        let payload = try ReceiptPayload(envelope.content)
        do throws(UntrustedChain) {
            try await roots.vouch(for: envelope.signer, through: envelope.others, in: payload.environment, at: payload.creationDate)
        } catch {
            throw .untrusted(reason: error.reason)
        }
        try envelope.checkSignature()
        for check in checks {
            try check.examine(payload)
        }
        return VerifiedReceipt(payload: payload, original: bytes)
    }
}
