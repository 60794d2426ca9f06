public import PurchaseModel

/// Verifies app receipts.
///
/// A verification follows the order in Apple's documentation: it reads container and content, verifies the chain at the creation date
/// that the content states, verifies the signature of the content, requests the revocation status, and runs the checks. The current
/// date is not considered, except by checks with a clock.
public struct ReceiptVerifier: Sendable {
    /// The maximum size of a receipt in bytes: about 40,000 purchases.
    ///
    /// The longest known receipt from Apple has 79,104 bytes.
    public static let maximumSize = 16 << 20
    /// The maximum number of attributes of a receipt, purchases among them, and of a purchase.
    public static let maximumAttributes = ReceiptAttributes.maximumCount
    /// The maximum number of certificates in a receipt.
    ///
    /// Apple's receipts have three.
    public static let maximumCertificates = CMSEnvelope.maximumCertificates
    /// The maximum size of a certificate in bytes.
    public static let maximumCertificateSize = CMSEnvelope.maximumCertificateSize
    /// The maximum nesting depth of values.
    public static let maximumDepth = BERReader.maximumDepth

    private let roots: TrustedRoots
    private let revocation: Revocation
    private let checks: [any ReceiptCheck]

    /// Creates a verifier that accepts receipts for one app.
    ///
    /// - Parameters:
    ///   - roots: The trusted roots.
    ///   - revocation: Whether the revocation status of the certificates is requested.
    ///   - bundleID: The app; a ``BundleCheck`` refuses others.
    ///   - environments: The environments to accept; an ``EnvironmentCheck`` refuses others.
    ///   - checks: Further checks, which run after those two in their order.
    public init(
        roots: TrustedRoots, revocation: Revocation = .off, bundleID: BundleID, environments: Set<AppEnvironment>,
        checks: [any ReceiptCheck] = []
    ) {
        self.init(roots: roots, revocation: revocation, BundleCheck(bundleID), and: [EnvironmentCheck(environments)] + checks)
    }

    /// Creates a verifier from its checks.
    ///
    /// The first check is a separate parameter, so that a verifier always has a check.
    ///
    /// - Parameters:
    ///   - roots: The trusted roots.
    ///   - revocation: Whether the revocation status of the certificates is requested.
    ///   - first: The check that runs first.
    ///   - rest: The other checks, which run in their order.
    public init(roots: TrustedRoots, revocation: Revocation = .off, _ first: any ReceiptCheck, _ rest: any ReceiptCheck...) {
        self.init(roots: roots, revocation: revocation, first, and: rest)
    }

    /// Creates a verifier from its checks, all but the first of which are in an array.
    public init(roots: TrustedRoots, revocation: Revocation = .off, _ first: any ReceiptCheck, and rest: [any ReceiptCheck]) {
        self.roots = roots
        self.revocation = revocation
        checks = [first] + rest
    }

    /// Verifies a receipt.
    ///
    /// The bytes may come from an attacker: invalid input throws and never traps.
    ///
    /// - Throws: The outcome, when the receipt is not verified.
    public func verify(_ bytes: [UInt8]) async throws(VerificationFailure) -> VerifiedReceipt {
        try await verify(bytes, trace: nil)
    }

    /// Verifies a receipt and returns the outcome as a value.
    public func outcome(of bytes: [UInt8]) async -> VerificationOutcome<VerifiedReceipt> {
        do { return .verified(try await verify(bytes)) } catch { return VerificationOutcome(error) }
    }

    /// Verifies a receipt and explains the outcome step by step.
    ///
    /// An explanation does not use the verified-chain cache. It costs several times as much as ``verify(_:)``.
    public func explain(
        _ bytes: [UInt8]
    ) async -> (outcome: VerificationOutcome<VerifiedReceipt>, explanation: VerificationExplanation) {
        await Trace.explain { trace throws(VerificationFailure) in try await verify(bytes, trace: trace) }
    }

    private func verify(_ bytes: [UInt8], trace: Trace?) async throws(VerificationFailure) -> VerifiedReceipt {
        let receipt: UnverifiedReceipt
        do { receipt = try UnverifiedReceipt(bytes) } catch { throw .refused(error) }
        let payload = receipt.payload
        trace?.read(receipt)

        let chain = try await chain(of: receipt, trace: trace)
        do throws(Refusal) {
            try receipt.envelope.verifySignature(by: chain.key)
            trace?.passed("signature", "\(receipt.digest), \(receipt.signatureAlgorithm)", rule: "The leaf's key signed the content.")
        } catch { throw .refused(error) }
        // The revocation status is last, so that a forged receipt is refused even when no responder responds.
        try await revocation.verify(chain, place: Self.certificates, trace: trace)
        let signature = SignatureInfo(
            chain, environment: payload.environment, signedDate: payload.creationDate, certificatesPlace: Self.certificates
        )
        let authentic = AuthenticReceipt(payload: payload, signature: signature, original: bytes)
        for check in checks {
            try check.examine(authentic)
            trace?.passed(check.name, check.observed(in: authentic), rule: check.rule)
        }
        return VerifiedReceipt(payload: payload, original: bytes)
    }

    /// Returns the verified chain of the receipt's signer at the receipt's creation date.
    private func chain(of receipt: UnverifiedReceipt, trace: Trace?) async throws(VerificationFailure) -> VerifiedChain {
        let (payload, envelope) = (receipt.payload, receipt.envelope)
        // An explanation shows the steps that the cache would skip.
        if trace == nil,
            let chain = roots.cachedChain(in: payload.environment, at: payload.creationDate, where: { envelope.carries($0) })
        {
            return chain
        }
        let certificates: (signer: [UInt8], others: [[UInt8]])
        do { certificates = try envelope.signerAndOthers() } catch { throw .refused(error) }
        return try await roots.verifyChain(
            certificates.signer, through: certificates.others, in: payload.environment, at: payload.creationDate,
            place: Self.certificates, trace: trace
        )
    }

    private static let certificates = "SignedData.certificates"
}

extension Trace {
    /// Records the steps of reading a receipt.
    fileprivate func read(_ receipt: UnverifiedReceipt) {
        passed(
            "container", "\(receipt.size) bytes of \(receipt.isDER ? "DER" : "BER"), \(receipt.certificates.count) certificates",
            rule: "The receipt is a CMS SignedData with one signer, its content, and no signed attributes."
        )
        let payload = receipt.payload
        passed(
            "content",
            "\(payload.receiptType) for \(payload.bundleID), created \(payload.creationDate), \(payload.purchases.count) purchases",
            rule: "Every known attribute occurs at most once and has a valid value."
        )
    }
}

/// A verified receipt.
///
/// Only a ``ReceiptVerifier`` creates one.
public struct VerifiedReceipt: Hashable, Sendable {
    /// The content.
    public let payload: ReceiptPayload
    /// The receipt file.
    ///
    /// Store it, and verify it again after reading it.
    public let original: [UInt8]
}

/// A receipt that was parsed and not verified: anyone can have created it.
///
/// Use it to inspect a receipt. Only a ``ReceiptVerifier`` creates a ``VerifiedReceipt``, from the bytes of the file.
public struct UnverifiedReceipt: Sendable {
    /// The content, which is not authentic.
    public let payload: ReceiptPayload

    let envelope: CMSEnvelope

    /// Parses a receipt file.
    ///
    /// The time is proportional to the size, and the memory at most 64 times the size.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` or ``Refusal/Reason/tooLarge(limit:)``, with the place of the first error.
    public init(_ bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= ReceiptVerifier.maximumSize else {
            throw Refusal(.tooLarge(limit: ReceiptVerifier.maximumSize), at: "size")
        }
        envelope = try CMSEnvelope(bytes)
        payload = try ReceiptPayload(envelope.source, envelope.contentRange, isFile: !envelope.isJoined)
    }

    /// The certificates as DER, in the order of the file: leaf, intermediate and root in Apple's, and a single one in Xcode's.
    public var certificates: [[UInt8]] {
        envelope.certificates.map { Array(envelope.bytes[$0]) }
    }

    /// The digest algorithm, `SHA-1` or `SHA-256`.
    public var digest: String { envelope.digest.name }

    /// The signature algorithm that the file states: `rsaEncryption` in Apple's, with the digest algorithm in Xcode's.
    public var signatureAlgorithm: String {
        envelope.signatureNamesDigest ? "\(envelope.digest.name) with RSA" : "rsaEncryption"
    }

    /// Whether the container has definite lengths and no chunks, like Apple's and unlike Xcode's.
    public var isDER: Bool { envelope.isDefinite }

    /// The size of the file in bytes.
    public var size: Int { envelope.bytes.count }

    /// The size of the signed content in bytes.
    public var contentSize: Int { envelope.contentRange.count }
}
