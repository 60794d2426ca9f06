/// Turns receipt bytes into facts, or says what is wrong with them.
///
/// The order is the one that Apple asks for: read the container and its content, judge the chain at the creation date that the
/// content states, check the signature over that content, ask whether a certificate was revoked, and only then ask what the
/// content says. The device's clock has no part in it.
public struct ReceiptVerifier: Sendable {
    /// The longest receipt that is read, in bytes: about 40,000 purchases.
    ///
    /// The longest of Apple that we know has 79,104.
    public static let maximumSize = 16 << 20
    /// How many attributes a receipt may have, purchases among them, and how many a purchase.
    public static let maximumAttributes = ReceiptAttributes.maximumCount
    /// How many certificates a receipt may have; Apple's have three.
    public static let maximumCertificates = CMSEnvelope.maximumCertificates
    /// How long each may be, in bytes.
    public static let maximumCertificateSize = CMSEnvelope.maximumCertificateSize
    /// How deep values may lie in each other.
    public static let maximumDepth = BERReader.maximumDepth

    private let roots: TrustedRoots
    private let revocation: Revocation
    private let checks: [any ReceiptCheck]

    /// Creates a verifier.
    ///
    /// Taking the first check apart from the rest makes a verifier that checks nothing impossible to write.
    ///
    /// - Parameters:
    ///   - roots: The roots that count.
    ///   - revocation: Whether it is asked if a certificate was revoked.
    ///   - first: A check that every receipt must pass.
    ///   - rest: The other checks, in the order in which they are asked.
    public init(roots: TrustedRoots, revocation: Revocation = .off, _ first: any ReceiptCheck, _ rest: any ReceiptCheck...) {
        self.init(roots: roots, revocation: revocation, first, rest)
    }

    /// Creates a verifier with checks that are known only when the program runs.
    public init(roots: TrustedRoots, revocation: Revocation = .off, _ first: any ReceiptCheck, _ rest: [any ReceiptCheck]) {
        self.roots = roots
        self.revocation = revocation
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
        let receipt: UnverifiedReceipt
        do { receipt = try UnverifiedReceipt(bytes) } catch { throw .refused(error) }
        let payload = receipt.payload
        trace?.read(receipt)

        let chain = try await chain(of: receipt, trace: trace)
        do throws(Refusal) {
            try receipt.envelope.checkSignature(by: chain.key)
            trace?.passed("signature", "\(receipt.digest), \(receipt.signatureAlgorithm)", rule: "The signer's key signed the content.")
        } catch { throw .refused(error) }
        // Not before: a forgery is one, even when nobody answers.
        try await revocation.judge(chain, place: Self.certificates, trace: trace)
        do throws(Refusal) {
            for check in checks {
                try check.examine(payload)
                trace?.passed(check.name, check.saw(payload), rule: check.rule)
            }
        } catch { throw .refused(error) }
        return VerifiedReceipt(payload: payload, original: bytes)
    }

    /// The chain that vouches for the signer at the time at which the receipt says it was made.
    private func chain(of receipt: UnverifiedReceipt, trace: Trace?) async throws(Unproven) -> ProvenChain {
        let (payload, envelope) = (receipt.payload, receipt.envelope)
        // A chain that is to be explained is proven again, because that is what there is to be told.
        if trace == nil,
            let chain = roots.remembered(in: payload.environment, at: payload.creationDate, where: { envelope.carries($0) })
        {
            return chain
        }
        let certificates: (signer: [UInt8], others: [[UInt8]])
        do { certificates = try envelope.signerAndOthers() } catch { throw .refused(error) }
        return try await roots.prove(
            certificates.signer, through: certificates.others, in: payload.environment, at: payload.creationDate,
            place: Self.certificates, trace: trace
        )
    }

    private static let certificates = "SignedData.certificates"
}

extension Trace {
    /// The steps of reading a receipt.
    fileprivate func read(_ receipt: UnverifiedReceipt) {
        passed(
            "container", "\(receipt.size) bytes of \(receipt.isDER ? "DER" : "BER"), \(receipt.certificates.count) certificates",
            rule: "It is a CMS SignedData with one signer, its content inside, and no signed attributes."
        )
        let payload = receipt.payload
        passed(
            "content",
            "\(payload.receiptType) for \(payload.bundleID), made \(payload.creationDate), \(payload.purchases.count) purchases",
            rule: "Every attribute that is known is there at most once and is what it should be."
        )
    }
}
