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
    public func verify(_ bytes: [UInt8]) async throws(Unproven) -> VerifiedReceipt {
        try await prove(bytes, trace: nil)
    }

    /// What the receipt is worth, as a value with all three outcomes.
    public func judge(_ bytes: [UInt8]) async -> Verdict<VerifiedReceipt> {
        do { return .verified(try await verify(bytes)) } catch { return Verdict(error) }
    }

    /// What the receipt is worth, and how that was found out.
    ///
    /// Costs several times what ``verify(_:)`` does.
    public func explain(_ bytes: [UInt8]) async -> (verdict: Verdict<VerifiedReceipt>, explanation: Explanation) {
        let trace = Trace()
        do {
            return (.verified(try await prove(bytes, trace: trace)), trace.explanation)
        } catch {
            trace.ended(error)
            return (Verdict(error), trace.explanation)
        }
    }

    private func prove(_ bytes: [UInt8], trace: Trace?) async throws(Unproven) -> VerifiedReceipt {
        let envelope: CMSEnvelope
        let payload: ReceiptPayload
        do throws(Refusal) {
            guard bytes.count <= Self.maximumSize else { throw Refusal(.tooLarge(limit: Self.maximumSize), at: "size") }
            envelope = try CMSEnvelope(bytes)
            payload = try ReceiptPayload(envelope.content)
        } catch { throw .refused(error) }
        _ = try await roots.prove(
            envelope.encodedSigner, through: envelope.encodedOthers, in: payload.environment, at: payload.creationDate,
            place: "SignedData.certificates", trace: trace
        )
        do throws(Refusal) {
            try envelope.checkSignature()
            for check in checks { try check.examine(payload) }
        } catch { throw .refused(error) }
        return VerifiedReceipt(payload: payload, original: bytes)
    }
}
