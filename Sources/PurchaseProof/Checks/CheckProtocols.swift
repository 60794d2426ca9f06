public import PurchaseModel

/// A check that a ``ReceiptVerifier`` applies to every receipt.
///
/// Checks run last, after signature, chain and revocation status were verified, so everything that a check sees is authentic. The
/// built-in checks conform to this protocol as custom ones do.
public protocol ReceiptCheck: Sendable {
    /// The name of the check in explanations, such as `bundle`.
    var name: String { get }

    /// The rule that the receipt must meet, as a sentence, for explanations. Include no secrets.
    var rule: String { get }

    /// Describes the examined value of a receipt, for explanations. Include no secrets.
    func observed(in receipt: AuthenticReceipt) -> String

    /// Checks that a receipt meets ``rule``, and throws otherwise.
    ///
    /// - Throws: ``VerificationOutcome/refused(_:)`` when the receipt does not meet the rule, and
    ///   ``VerificationOutcome/indeterminate(_:)`` when a fact that the check depends on is unavailable.
    func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure)
}

/// A receipt whose signature, chain and revocation status were verified, and whose checks have not run yet.
public struct AuthenticReceipt: Sendable {
    /// The content of the receipt.
    public let payload: ReceiptPayload
    /// The signer and the time of signing.
    public let signature: SignatureInfo
    /// The receipt file.
    public let original: [UInt8]
}

/// A check that a ``TransactionReceiptVerifier`` applies to every transaction receipt.
///
/// Checks run after signature and certificates were verified, so everything that a check sees is authentic, except the environment,
/// which transaction receipts do not sign. The built-in checks conform to this protocol as custom ones do.
public protocol TransactionReceiptCheck: Sendable {
    /// The name of the check in explanations, such as `bundle`.
    var name: String { get }

    /// The rule that the receipt must meet, as a sentence, for explanations. Include no secrets.
    var rule: String { get }

    /// Describes the examined value of a receipt, for explanations. Include no secrets.
    func observed(in receipt: AuthenticTransactionReceipt) -> String

    /// Returns when the receipt meets the rule.
    ///
    /// - Throws: ``VerificationOutcome/refused(_:)`` when the receipt does not meet the rule, and
    ///   ``VerificationOutcome/indeterminate(_:)`` when a fact that the check depends on is unavailable.
    func examine(_ receipt: AuthenticTransactionReceipt) throws(VerificationFailure)
}

/// A transaction receipt whose signature and certificates were verified, and whose checks have not run yet.
public struct AuthenticTransactionReceipt: Sendable {
    /// The signed content of the receipt.
    public let payload: TransactionReceiptPayload
    /// The environment that the receipt states, which is not signed: see ``UnverifiedTransactionReceipt/claimedEnvironment``.
    public let claimedEnvironment: AppEnvironment
    /// The signer, and the earliest time at which the receipt can have been signed.
    public let signature: SignatureInfo
    /// The receipt.
    public let original: [UInt8]
}

/// A check that a ``SignedDataVerifier`` applies to all signed data, and to each JWS that is nested in a notification.
///
/// Checks run last, after signature, chain and revocation status were verified, so everything that a check sees is authentic. The
/// built-in checks conform to this protocol as custom ones do.
public protocol SignedDataCheck: Sendable {
    /// The name of the check in explanations, such as `bundle`.
    var name: String { get }

    /// The rule that the signed data must meet, as a sentence, for explanations. Include no secrets.
    var rule: String { get }

    /// Describes the examined value of signed data, for explanations. Include no secrets.
    func observed(in data: AuthenticSignedData) -> String

    /// Returns when the signed data meets the rule.
    ///
    /// - Throws: ``VerificationOutcome/refused(_:)`` when the data does not meet the rule, and
    ///   ``VerificationOutcome/indeterminate(_:)`` when a fact that the check depends on is unavailable.
    func examine(_ data: AuthenticSignedData) throws(VerificationFailure)
}

/// Signed data whose signature, chain and revocation status were verified, and whose checks have not run yet.
public struct AuthenticSignedData: Sendable {
    /// The claims of all kinds of signed data: app, environment, time of signing, device.
    public let claims: SignedDataClaims
    /// The payload, such as a `TransactionPayload`.
    ///
    /// Cast it to read members that only one kind has.
    public let payload: any Hashable & Sendable
    /// The payload's JSON as it was signed.
    public let json: [UInt8]
    /// The signer and the time of signing.
    public let signature: SignatureInfo
    /// The compact JWS.
    public let original: String
}

/// The signer and the time of signing of data with a verified signature.
public struct SignatureInfo: Sendable {
    /// The environment that the data states.
    ///
    /// The chain leads to a root that is trusted in this environment.
    public let environment: AppEnvironment
    /// The time of signing that the data states; for transaction receipts, the earliest time at which they can have been signed.
    public let signedDate: Timestamp
    /// The place of the certificates in the data, such as `header.x5c`, for refusals.
    public let certificatesPlace: String

    private let signer: Signer

    private enum Signer: Sendable {
        case chain(VerifiedChain)
        case certificate([UInt8], validity: ClosedRange<Timestamp>)
    }

    init(_ chain: VerifiedChain, environment: AppEnvironment, signedDate: Timestamp, certificatesPlace: String) {
        self.init(.chain(chain), environment, signedDate, certificatesPlace)
    }

    init(
        certificate: [UInt8], validity: ClosedRange<Timestamp>, environment: AppEnvironment, signedDate: Timestamp,
        certificatesPlace: String
    ) {
        self.init(.certificate(certificate, validity: validity), environment, signedDate, certificatesPlace)
    }

    private init(_ signer: Signer, _ environment: AppEnvironment, _ signedDate: Timestamp, _ certificatesPlace: String) {
        self.signer = signer
        self.environment = environment
        self.signedDate = signedDate
        self.certificatesPlace = certificatesPlace
    }

    /// The certificates as DER: the leaf, whose key signed the data, the intermediate, and the root.
    ///
    /// Xcode's certificate is self-signed and has no others. A transaction receipt carries the leaf only.
    public var certificates: [[UInt8]] {
        switch signer {
        case .chain(let chain): chain.encoded
        case .certificate(let certificate, _): [certificate]
        }
    }

    /// The SHA-256 fingerprint of the root in upper-case hexadecimal with colons; nil for transaction receipts, which carry no root.
    public var rootFingerprint: String? {
        switch signer {
        case .chain(let chain): chain.root.description
        case .certificate: nil
        }
    }

    /// The time within which every certificate is valid, in whole seconds.
    public var validity: ClosedRange<Timestamp> {
        switch signer {
        case .chain(let chain): chain.validity
        case .certificate(_, let validity): validity
        }
    }
}
