public import PurchaseModel

/// Verifies app receipts.
///
/// A verification has five steps. The verifier parses the container and the content, verifies the certificate chain at the creation date of
/// the receipt, verifies the signature, requests the revocation status if required, and runs the checks. Only the revocation status and the
/// checks with a clock consider the current date, so a receipt remains valid after its certificates have expired.
public struct ReceiptVerifier: Sendable {
    /// The maximum size of a receipt in bytes, which is enough for about 40,000 purchases.
    ///
    /// The longest known receipt from Apple has 79,104 bytes.
    public static let maximumSize = 16 << 20
    /// The maximum number of attributes of a receipt, including its purchases, and of a purchase.
    public static let maximumAttributes = ReceiptAttributes.maximumCount
    /// The maximum number of certificates in a receipt.
    ///
    /// Apple's receipts have three certificates.
    public static let maximumCertificates = CMSEnvelope.maximumCertificates
    /// The maximum size of each certificate in a receipt, in bytes.
    public static let maximumCertificateSize = CMSEnvelope.maximumCertificateSize
    /// The maximum nesting depth of the ASN.1 values in a receipt.
    public static let maximumDepth = BERReader.maximumDepth

    private let roots: TrustedRoots
    private let revocation: Revocation
    private let checks: [any ReceiptCheck]

    /// Creates a verifier that accepts receipts for one app.
    ///
    /// - Parameters:
    ///   - roots: The root certificates to trust.
    ///   - revocation: Whether the verifier requests the revocation status of the certificates, and whether it requires the status.
    ///   - bundleID: The bundle identifier of the app; a ``BundleCheck`` refuses receipts for other apps.
    ///   - environments: The environments to accept; an ``EnvironmentCheck`` refuses receipts from other environments.
    ///   - checks: Additional checks, which run in their order after the checks of the bundle identifier and of the environment.
    public init(
        roots: TrustedRoots, revocation: Revocation = .off, bundleID: BundleID, environments: Set<AppEnvironment>,
        checks: [any ReceiptCheck] = []
    ) {
        self.init(roots: roots, revocation: revocation, BundleCheck(bundleID), and: [EnvironmentCheck(environments)] + checks)
    }

    /// Creates a verifier with the given checks.
    ///
    /// The first check is a separate parameter, so that every verifier has at least one check.
    ///
    /// - Parameters:
    ///   - roots: The root certificates to trust.
    ///   - revocation: Whether the verifier requests the revocation status of the certificates, and whether it requires the status.
    ///   - first: The check that runs first.
    ///   - rest: The checks that run after the first check, in their order.
    public init(roots: TrustedRoots, revocation: Revocation = .off, _ first: any ReceiptCheck, _ rest: any ReceiptCheck...) {
        self.init(roots: roots, revocation: revocation, first, and: rest)
    }

    /// Creates a verifier with a first check and an array of further checks, which run in their order.
    ///
    /// The first check is a separate parameter, so that every verifier has at least one check.
    public init(roots: TrustedRoots, revocation: Revocation = .off, _ first: any ReceiptCheck, and rest: [any ReceiptCheck]) {
        self.roots = roots
        self.revocation = revocation
        checks = [first] + rest
    }

    /// Verifies a receipt.
    ///
    /// The bytes may come from an attacker: invalid input throws and never traps.
    ///
    /// - Throws: A ``VerificationFailure`` when the receipt is refused, or when the verification is indeterminate.
    public func verify(_ bytes: [UInt8]) async throws(VerificationFailure) -> VerifiedReceipt {
        try await verify(bytes, trace: nil)
    }

    /// Verifies a receipt, and returns the outcome instead of throwing a failure.
    public func outcome(of bytes: [UInt8]) async -> VerificationOutcome<VerifiedReceipt> {
        do { return .verified(try await verify(bytes)) } catch { return VerificationOutcome(error) }
    }

    /// Verifies a receipt, and returns the outcome with an explanation of each step.
    ///
    /// The method verifies the certificate chain even if it is in the verified-chain cache, so it takes several times as long as
    /// ``verify(_:)``.
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
            trace?.passed(
                "signature", "\(receipt.digest), \(receipt.signatureAlgorithm)",
                rule: "The leaf's key must have signed the content of the receipt.")
        } catch { throw .refused(error) }
        // The revocation status is requested after the signature is verified, so that a forged receipt is refused even while the responders
        // are unavailable.
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

    /// Returns the certificate chain of the receipt's signer, verified at the creation date of the receipt.
    private func chain(of receipt: UnverifiedReceipt, trace: Trace?) async throws(VerificationFailure) -> VerifiedChain {
        let (payload, envelope) = (receipt.payload, receipt.envelope)
        // With a trace, the chain is verified again, because an explanation shows the steps that the cache skips.
        if trace == nil,
            let chain = roots.cachedChain(in: .known(payload.environment), at: payload.creationDate, where: envelope.carries)
        {
            return chain
        }
        let certificates: (signer: [UInt8], others: [[UInt8]])
        do { certificates = try envelope.signerAndOthers() } catch { throw .refused(error) }
        return try await roots.verifyChain(
            certificates.signer, through: certificates.others, in: .known(payload.environment), at: payload.creationDate,
            place: Self.certificates, trace: trace
        )
    }

    private static let certificates = "SignedData.certificates"
}

extension Trace {
    /// Records the steps of parsing a receipt.
    fileprivate func read(_ receipt: UnverifiedReceipt) {
        passed(
            "container", "\(receipt.size) bytes of \(receipt.isDER ? "DER" : "BER"), \(receipt.certificates.count) certificates",
            rule: "The receipt must be a CMS SignedData with content and one signer, and without signed attributes."
        )
        let payload = receipt.payload
        passed(
            "content",
            "\(payload.receiptType) for \(payload.bundleID), created \(payload.creationDate), \(payload.purchases.count) purchases",
            rule: "Every known attribute except purchases must occur at most once, and must have a valid value."
        )
    }
}

/// A verified app receipt.
///
/// Only a ``ReceiptVerifier`` creates values of this type.
public struct VerifiedReceipt: Hashable, Sendable {
    /// The verified content of the receipt.
    public let payload: ReceiptPayload
    /// The bytes of the receipt file.
    ///
    /// To store a verified receipt, store these bytes, and verify them again after reading them.
    public let original: [UInt8]
    /// The SHA-256 of the signed content, which identifies the receipt.
    ///
    /// The signature does not cover the container, so that the same receipt has any number of encodings with different bytes. The container
    /// is parsed again for each access.
    package var contentDigest: [UInt8]? {
        do { return try CMSEnvelope(original).contentDigest } catch { return nil }
    }
}

/// An app receipt that was parsed and not verified, so that anyone can have created it.
///
/// Use this type to inspect a receipt. To get a ``VerifiedReceipt``, pass the bytes of the file to a ``ReceiptVerifier``.
public struct UnverifiedReceipt: Sendable {
    /// The content of the receipt, which may be forged.
    public let payload: ReceiptPayload

    let envelope: CMSEnvelope

    /// Parses a receipt file.
    ///
    /// Parsing takes time in proportion to the size of the file, and at most 64 times the size as memory.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` or ``Refusal/Reason/tooLarge(limit:)``, with the place of the first error.
    public init(_ bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= ReceiptVerifier.maximumSize else {
            throw Refusal(.tooLarge(limit: ReceiptVerifier.maximumSize), at: "size")
        }
        envelope = try CMSEnvelope(bytes)
        payload = try ReceiptPayload(envelope.source, envelope.contentRange, isFile: !envelope.isJoined)
    }

    /// The certificates as DER, in the order of the file.
    ///
    /// A receipt from Apple contains leaf, intermediate and root. A receipt from Xcode contains a single certificate.
    public var certificates: [[UInt8]] {
        envelope.certificates.map { Array(envelope.bytes[$0]) }
    }

    /// The digest algorithm of the signature, `SHA-1` or `SHA-256`.
    public var digest: String { envelope.digest.name }

    /// The signature algorithm that the file states: `rsaEncryption` in receipts from Apple, and such as `SHA-256 with RSA` in receipts
    /// from Xcode.
    public var signatureAlgorithm: String {
        envelope.signatureNamesDigest ? "\(envelope.digest.name) with RSA" : "rsaEncryption"
    }

    /// Whether the container has definite lengths and no strings of chunks, as in receipts from Apple, and not as in those from Xcode.
    public var isDER: Bool { envelope.isDefinite }

    /// The size of the file in bytes.
    public var size: Int { envelope.bytes.count }

    /// The size of the signed content in bytes.
    public var contentSize: Int { envelope.contentRange.count }
}
