import Foundation
public import PurchaseModel

/// Verifies the receipts of single transactions (iOS 6 and earlier).
///
/// A transaction receipt carries the certificate of its signer only. The issuers of such certificates are built in for Apple's roots;
/// a configured root is an issuer itself.
///
/// Transaction receipts do not state when they were signed. The certificates are verified at the purchase date, or at the beginning of
/// the signer's validity when that is later: a purchase that is restored is signed again. That is the earliest time at which the receipt
/// can have been signed. A transaction receipt is bound to no device and can be replayed, so store the transactions that were used.
public struct TransactionReceiptVerifier: Sendable {
    /// The maximum size of a receipt in bytes.
    ///
    /// Apple's receipts have up to 6,000.
    public static let maximumSize = 64 << 10

    private let roots: TrustedRoots
    private let revocation: Revocation
    private let checks: [any TransactionReceiptCheck]

    /// Creates a verifier that accepts transaction receipts for one app.
    ///
    /// - Parameters:
    ///   - roots: The trusted roots.
    ///   - revocation: Whether the revocation status of the certificates is required. Responders no longer provide the status, so
    ///     ``Revocation/hard(_:)`` makes every verification indeterminate.
    ///   - bundleID: The app; a ``BundleCheck`` refuses others.
    ///   - environments: The environments to accept; an ``EnvironmentCheck`` refuses others.
    ///   - checks: Further checks, which run after those two in their order.
    public init(
        roots: TrustedRoots, revocation: Revocation = .off, bundleID: BundleID, environments: Set<AppEnvironment>,
        checks: [any TransactionReceiptCheck] = []
    ) {
        self.init(roots: roots, revocation: revocation, BundleCheck(bundleID), and: [EnvironmentCheck(environments)] + checks)
    }

    /// Creates a verifier from its checks.
    ///
    /// The first check is a separate parameter, so that a verifier always has a check.
    ///
    /// - Parameters:
    ///   - roots: The trusted roots.
    ///   - revocation: Whether the revocation status of the certificates is required.
    ///   - first: The check that runs first.
    ///   - rest: The other checks, which run in their order.
    public init(
        roots: TrustedRoots, revocation: Revocation = .off, _ first: any TransactionReceiptCheck, _ rest: any TransactionReceiptCheck...
    ) {
        self.init(roots: roots, revocation: revocation, first, and: rest)
    }

    /// Creates a verifier from its checks, all but the first of which are in an array.
    public init(
        roots: TrustedRoots, revocation: Revocation = .off, _ first: any TransactionReceiptCheck, and rest: [any TransactionReceiptCheck]
    ) {
        self.roots = roots
        self.revocation = revocation
        checks = [first] + rest
    }

    /// Verifies a transaction receipt.
    ///
    /// The bytes may come from an attacker: invalid input throws and never traps. The verification requires no network and does not
    /// wait.
    ///
    /// - Throws: The outcome, when the receipt is not verified.
    public func verify(_ bytes: [UInt8]) throws(VerificationFailure) -> VerifiedTransactionReceipt {
        try verify(bytes, trace: nil)
    }

    /// Verifies a transaction receipt and returns the outcome as a value.
    public func outcome(of bytes: [UInt8]) -> VerificationOutcome<VerifiedTransactionReceipt> {
        do { return .verified(try verify(bytes)) } catch { return VerificationOutcome(error) }
    }

    /// Verifies a transaction receipt and explains the outcome step by step.
    public func explain(
        _ bytes: [UInt8]
    ) -> (outcome: VerificationOutcome<VerifiedTransactionReceipt>, explanation: VerificationExplanation) {
        let trace = Trace()
        let outcome: VerificationOutcome<VerifiedTransactionReceipt>
        do throws(VerificationFailure) {
            outcome = .verified(try verify(bytes, trace: trace))
        } catch {
            trace.recordFailure(error)
            outcome = VerificationOutcome(error)
        }
        return (outcome, VerificationExplanation(outcome, steps: trace.steps))
    }

    private func verify(_ bytes: [UInt8], trace: Trace?) throws(VerificationFailure) -> VerifiedTransactionReceipt {
        let authentic: AuthenticTransactionReceipt
        do throws(Refusal) {
            authentic = try authenticate(bytes, trace: trace)
        } catch { throw .refused(error) }
        for check in checks {
            try check.examine(authentic)
            trace?.passed(check.name, check.observed(in: authentic), rule: check.rule)
        }
        // The revocation status is last, because it is never available. A refusal has a more precise reason.
        switch revocation {
        case .off, .soft: break
        case .hard: throw .indeterminate(Indeterminacy(.noResponder, at: TransactionSigner.place))
        }
        return VerifiedTransactionReceipt(
            payload: authentic.payload, claimedEnvironment: authentic.claimedEnvironment, original: bytes
        )
    }

    /// Verifies certificates and signature.
    private func authenticate(_ bytes: [UInt8], trace: Trace?) throws(Refusal) -> AuthenticTransactionReceipt {
        let receipt = try UnverifiedTransactionReceipt(bytes)
        let payload = receipt.payload
        trace?.passed(
            "content", "\(payload.productID) of \(payload.bundleID), purchased \(payload.purchaseDate)",
            rule: "The receipt is a property list that contains another one and its signature."
        )
        let signer = try TransactionSigner(receipt.signature, at: payload.purchaseDate)
        let issuer = try signer.verify(with: roots.transactionIssuers(in: receipt.claimedEnvironment))
        trace?.passed(
            "certificates", "issued by \(issuer.title), verified at \(signer.time)",
            rule: "An issuer that is trusted in the environment issued the signer's certificate for such receipts, and both were valid."
        )
        try receipt.signature.verify(receipt.purchaseInfo, by: signer.outline)
        trace?.passed(
            "signature", "\(receipt.digest), version \(receipt.signatureVersion)", rule: "The signer's key signed version and content."
        )
        let signature = SignatureInfo(
            certificate: receipt.certificate, validity: signer.validity, environment: receipt.claimedEnvironment, signedDate: signer.time,
            certificatesPlace: TransactionSigner.place
        )
        return AuthenticTransactionReceipt(
            payload: payload, claimedEnvironment: receipt.claimedEnvironment, signature: signature, original: bytes
        )
    }
}

/// A verified receipt of one transaction.
///
/// Only a ``TransactionReceiptVerifier`` creates one.
public struct VerifiedTransactionReceipt: Hashable, Sendable {
    /// The signed content.
    public let payload: TransactionReceiptPayload
    /// The environment that the receipt states, which is not signed: see
    /// ``UnverifiedTransactionReceipt/claimedEnvironment``.
    public let claimedEnvironment: AppEnvironment
    /// The receipt.
    ///
    /// Store it, and verify it again after reading it.
    public let original: [UInt8]
}

/// The receipt of one transaction (`SKPaymentTransaction.transactionReceipt`, iOS 6 and earlier) that was parsed and not verified:
/// anyone can have created it.
///
/// ```
/// { "signature" = "<base64>"; "purchase-info" = "<base64>"; "environment" = "Sandbox"; "pod" = "100"; "signing-status" = "0"; }
/// ```
public struct UnverifiedTransactionReceipt: Sendable {
    /// The content that the signature covers.
    public let payload: TransactionReceiptPayload
    /// The members of the outer list, which the signature does not cover, in their order.
    public let entries: [TransactionReceiptEntry]
    /// The environment that the receipt states in `environment`, which is missing in production.
    ///
    /// It is not signed, and Apple signs for both environments with the same key: without the member, a sandbox receipt reads as a
    /// production receipt. Only Apple's server knows the environment.
    public let claimedEnvironment: AppEnvironment

    let purchaseInfo: [UInt8]
    let signature: TransactionSignature

    /// Parses a receipt.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` or ``Refusal/Reason/tooLarge(limit:)``, with the place of the first error.
    public init(_ bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= TransactionReceiptVerifier.maximumSize else {
            throw Refusal(.tooLarge(limit: TransactionReceiptVerifier.maximumSize), at: "size")
        }
        do throws(ParseError) {
            entries = try PropertyListReader.read(bytes)
        } catch { throw Refusal(error, at: "receipt") }
        let fields = TransactionReceiptFields(entries)
        claimedEnvironment = Self.environment(fields["environment"])
        purchaseInfo = try Self.decode(fields["purchase-info"], at: "purchase-info")
        payload = try TransactionReceiptPayload(purchaseInfo)
        signature = try TransactionSignature(Self.decode(fields["signature"], at: "signature"))
    }

    /// The certificate of the signer as DER.
    public var certificate: [UInt8] { signature.certificate }

    /// The version of the signature: 2, 3 or 4.
    public var signatureVersion: Int { Int(signature.version.rawValue) }

    /// The digest algorithm, `SHA-1` or `SHA-256`.
    public var digest: String { signature.version.digest.name }

    /// The environment of that name.
    ///
    /// As in app receipts, an unknown environment is never accepted as production.
    private static func environment(_ name: String?) -> AppEnvironment {
        guard let name else { return .production }
        return AppEnvironment(rawValue: name) ?? .sandbox
    }

    private static func decode(_ base64: String?, at place: String) throws(Refusal) -> [UInt8] {
        guard let base64, let data = Data(base64Encoded: base64) else {
            throw Refusal(.malformed, at: place, "Invalid value: it must be base64.")
        }
        return Array(data)
    }
}
