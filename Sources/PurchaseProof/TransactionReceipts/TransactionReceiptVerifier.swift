import Foundation
public import PurchaseModel

/// Verifies the receipts of single transactions (`SKPaymentTransaction.transactionReceipt`, iOS 6 and earlier).
///
/// A transaction receipt contains the certificate of its signer only. The issuer of this certificate must be one of Apple's intermediates,
/// which are part of this library, or a configured root.
///
/// A transaction receipt does not state when it was signed. The certificates are verified at the earliest time at which the receipt can
/// have been signed: the purchase date, or the beginning of the signer's validity if that is later, because a restored purchase is signed
/// again.
///
/// A transaction receipt is bound to no device, so a copy of it is valid, too. Record each transaction identifier, and grant nothing for a
/// transaction that was recorded before.
public struct TransactionReceiptVerifier: Sendable {
    /// The maximum size of a transaction receipt in bytes.
    ///
    /// Apple's transaction receipts have up to 6,000 bytes.
    public static let maximumSize = 64 << 10

    private let roots: TrustedRoots
    private let revocation: Revocation
    private let checks: [any TransactionReceiptCheck]

    /// Creates a verifier that accepts transaction receipts for one app.
    ///
    /// - Parameters:
    ///   - roots: The root certificates to trust.
    ///   - revocation: Whether the revocation status of the certificates is required. Responders no longer provide the status of these
    ///     certificates, so ``Revocation/hard(_:)`` makes the verification of each authentic receipt indeterminate.
    ///   - bundleID: The bundle identifier of the app; a ``BundleCheck`` refuses receipts for other apps.
    ///   - environments: The environments to accept; an ``EnvironmentCheck`` refuses receipts from other environments.
    ///   - checks: Additional checks, which run in their order after the checks of the bundle identifier and of the environment.
    public init(
        roots: TrustedRoots, revocation: Revocation = .off, bundleID: BundleID, environments: Set<AppEnvironment>,
        checks: [any TransactionReceiptCheck] = []
    ) {
        self.init(roots: roots, revocation: revocation, BundleCheck(bundleID), and: [EnvironmentCheck(environments)] + checks)
    }

    /// Creates a verifier with the given checks.
    ///
    /// The first check is a separate parameter, so that every verifier has at least one check.
    ///
    /// - Parameters:
    ///   - roots: The root certificates to trust.
    ///   - revocation: Whether the revocation status of the certificates is required. Responders no longer provide the status of these
    ///     certificates, so ``Revocation/hard(_:)`` makes the verification of each authentic receipt indeterminate.
    ///   - first: The check that runs first.
    ///   - rest: The checks that run after the first check, in their order.
    public init(
        roots: TrustedRoots, revocation: Revocation = .off, _ first: any TransactionReceiptCheck, _ rest: any TransactionReceiptCheck...
    ) {
        self.init(roots: roots, revocation: revocation, first, and: rest)
    }

    /// Creates a verifier with a first check and an array of further checks, which run in their order.
    ///
    /// The first check is a separate parameter, so that every verifier has at least one check.
    public init(
        roots: TrustedRoots, revocation: Revocation = .off, _ first: any TransactionReceiptCheck, and rest: [any TransactionReceiptCheck]
    ) {
        self.roots = roots
        self.revocation = revocation
        checks = [first] + rest
    }

    /// Verifies a transaction receipt.
    ///
    /// The bytes may come from an attacker: invalid input throws and never traps. The verification requires no network, so the method is
    /// synchronous.
    ///
    /// - Throws: A ``VerificationFailure`` when the receipt is refused, or when the verification is indeterminate.
    public func verify(_ bytes: [UInt8]) throws(VerificationFailure) -> VerifiedTransactionReceipt {
        try verify(bytes, trace: nil)
    }

    /// Verifies a transaction receipt, and returns the outcome instead of throwing a failure.
    public func outcome(of bytes: [UInt8]) -> VerificationOutcome<VerifiedTransactionReceipt> {
        do { return .verified(try verify(bytes)) } catch { return VerificationOutcome(error) }
    }

    /// Verifies a transaction receipt, and returns the outcome with an explanation of each step.
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
        // The revocation status is examined last, because it is never available, and a refusal tells the caller more than an indeterminate
        // outcome.
        switch revocation {
        case .off, .soft: break
        case .hard: throw .indeterminate(Indeterminacy(.noResponder, at: TransactionSigner.place))
        }
        return VerifiedTransactionReceipt(
            payload: authentic.payload, claimedEnvironment: authentic.claimedEnvironment, original: bytes
        )
    }

    /// Parses a transaction receipt, and verifies its certificates and its signature.
    private func authenticate(_ bytes: [UInt8], trace: Trace?) throws(Refusal) -> AuthenticTransactionReceipt {
        let receipt = try UnverifiedTransactionReceipt(bytes)
        let payload = receipt.payload
        trace?.passed(
            "content", "\(payload.productID) of \(payload.bundleID), purchased \(payload.purchaseDate)",
            rule: "The receipt must be a property list that contains the signed property list purchase-info and its signature."
        )
        let signer = try TransactionSigner(receipt.signature, at: payload.purchaseDate)
        let issuer = try signer.verify(with: roots.transactionIssuers(in: receipt.claimedEnvironment))
        trace?.passed(
            "certificates", "issued by \(issuer.title), verified at \(signer.time)",
            rule: "A trusted issuer must have issued the signer's certificate for signing receipts, and both must have been valid."
        )
        try receipt.signature.verify(receipt.purchaseInfo, by: signer.outline)
        trace?.passed(
            "signature", "\(receipt.digest), version \(receipt.signatureVersion)",
            rule: "The signer's key must have signed the version and purchase-info."
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
/// Only a ``TransactionReceiptVerifier`` creates values of this type.
public struct VerifiedTransactionReceipt: Hashable, Sendable {
    /// The verified content of the receipt.
    public let payload: TransactionReceiptPayload
    /// The environment that the receipt states, which the signature does not cover.
    ///
    /// A sandbox receipt can therefore claim to be a production receipt: see ``UnverifiedTransactionReceipt/claimedEnvironment``.
    public let claimedEnvironment: AppEnvironment
    /// The bytes of the transaction receipt.
    ///
    /// To store a verified receipt, store these bytes, and verify them again after reading them.
    public let original: [UInt8]
}

/// The receipt of one transaction that was parsed and not verified, so that anyone can have created it.
///
/// Such a receipt is the `transactionReceipt` of an `SKPaymentTransaction` in iOS 6 and earlier. It is a property list:
///
/// ```
/// { "signature" = "<base64>"; "purchase-info" = "<base64>"; "environment" = "Sandbox"; "pod" = "100"; "signing-status" = "0"; }
/// ```
public struct UnverifiedTransactionReceipt: Sendable {
    /// The content of `purchase-info`, which the signature covers, and which may be forged until it is verified.
    public let payload: TransactionReceiptPayload
    /// The members of the outer property list in their order; the signature does not cover them.
    public let entries: [TransactionReceiptEntry]
    /// The environment that the receipt states in its member `environment`; production when the member is missing.
    ///
    /// The signature does not cover the member, and Apple signs with the same key in the sandbox and in production. A sandbox receipt from
    /// which the member is removed therefore looks like a production receipt. Only Apple's server knows the true environment.
    public let claimedEnvironment: AppEnvironment

    let purchaseInfo: [UInt8]
    let signature: TransactionSignature

    /// Parses a transaction receipt.
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

    /// The version of the signature's format: 2, 3 or 4.
    public var signatureVersion: Int { Int(signature.version.rawValue) }

    /// The digest algorithm of the signature, `SHA-1` or `SHA-256`.
    public var digest: String { signature.version.digest.name }

    /// Returns the environment with a name; production when there is no name.
    ///
    /// An unknown name implies the sandbox, so that an unknown environment is never accepted as production.
    private static func environment(_ name: String?) -> AppEnvironment {
        guard let name else { return .production }
        return AppEnvironment(rawValue: name) ?? .sandbox
    }

    private static func decode(_ base64: String?, at place: String) throws(Refusal) -> [UInt8] {
        guard let base64, let data = Data(base64Encoded: base64) else {
            throw Refusal(.malformed, at: place, "Invalid value: the members signature and purchase-info must be standard base64.")
        }
        return Array(data)
    }
}
