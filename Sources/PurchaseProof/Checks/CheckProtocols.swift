public import PurchaseModel

/// A check that a ``ReceiptVerifier`` applies to every app receipt.
///
/// Checks run last, after the verifier has verified the certificate chain, the signature and, if requested, the revocation status. All
/// values that a check examines are therefore authentic. The built-in checks, such as ``BundleCheck``, conform to this protocol, too.
public protocol ReceiptCheck: Sendable {
    /// The name of the check in explanations, such as `bundle`.
    var name: String { get }

    /// The rule that the receipt must meet, as a sentence for explanations.
    ///
    /// Include no secrets.
    var rule: String { get }

    /// Returns a description of the value that the check examines in a receipt, for explanations.
    ///
    /// Include no secrets.
    func observed(in receipt: AuthenticReceipt) -> String

    /// Checks that a receipt meets ``rule``, and throws otherwise.
    ///
    /// - Throws: ``VerificationOutcome/refused(_:)`` when the receipt does not meet the rule, and
    ///   ``VerificationOutcome/indeterminate(_:)`` when a fact that the check depends on is unavailable.
    func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure)
}

/// An app receipt whose certificate chain and signature are verified, and to which the verifier then applies its checks.
public struct AuthenticReceipt: Sendable {
    /// The signed content of the receipt.
    public let payload: ReceiptPayload
    /// The signer, the environment and the time of signing.
    public let signature: SignatureInfo
    /// The bytes of the receipt file.
    public let original: [UInt8]
}

/// A check that a ``TransactionReceiptVerifier`` applies to every transaction receipt.
///
/// Checks run last, after the verifier has verified the certificates and the signature. All values that a check examines are therefore
/// authentic, except the environment, which the signature of a transaction receipt does not cover. The built-in checks, such as
/// ``BundleCheck``, conform to this protocol, too.
public protocol TransactionReceiptCheck: Sendable {
    /// The name of the check in explanations, such as `bundle`.
    var name: String { get }

    /// The rule that the receipt must meet, as a sentence for explanations.
    ///
    /// Include no secrets.
    var rule: String { get }

    /// Returns a description of the value that the check examines in a receipt, for explanations.
    ///
    /// Include no secrets.
    func observed(in receipt: AuthenticTransactionReceipt) -> String

    /// Checks that a receipt meets ``rule``, and throws otherwise.
    ///
    /// - Throws: ``VerificationOutcome/refused(_:)`` when the receipt does not meet the rule, and
    ///   ``VerificationOutcome/indeterminate(_:)`` when a fact that the check depends on is unavailable.
    func examine(_ receipt: AuthenticTransactionReceipt) throws(VerificationFailure)
}

/// A transaction receipt whose certificates and signature are verified, and to which the verifier then applies its checks.
public struct AuthenticTransactionReceipt: Sendable {
    /// The signed content of the receipt.
    public let payload: TransactionReceiptPayload
    /// The environment that the receipt states, which the signature does not cover.
    ///
    /// A sandbox receipt can therefore claim to be a production receipt: see ``UnverifiedTransactionReceipt/claimedEnvironment``.
    public let claimedEnvironment: AppEnvironment
    /// The signer, and the earliest time at which the receipt can have been signed.
    public let signature: SignatureInfo
    /// The bytes of the transaction receipt.
    public let original: [UInt8]
}

/// A check that a ``SignedDataVerifier`` applies to all signed data, and to each JWS that is nested in a notification.
///
/// Checks run last, after the verifier has verified the certificate chain, the signature and, if requested, the revocation status. All
/// values that a check examines are therefore authentic. The built-in checks, such as ``BundleCheck``, conform to this protocol, too.
public protocol SignedDataCheck: Sendable {
    /// The name of the check in explanations, such as `bundle`.
    var name: String { get }

    /// The rule that the signed data must meet, as a sentence for explanations.
    ///
    /// Include no secrets.
    var rule: String { get }

    /// Returns a description of the value that the check examines in signed data, for explanations.
    ///
    /// Include no secrets.
    func observed(in data: AuthenticSignedData) -> String

    /// Checks that signed data meets ``rule``, and throws otherwise.
    ///
    /// - Throws: ``VerificationOutcome/refused(_:)`` when the data does not meet the rule, and ``VerificationOutcome/indeterminate(_:)``
    ///   when a fact that the check depends on is unavailable.
    func examine(_ data: AuthenticSignedData) throws(VerificationFailure)
}

/// Signed data whose certificate chain and signature are verified, and to which the verifier then applies its checks.
public struct AuthenticSignedData: Sendable {
    /// The claims that several kinds of signed data have in common: app, environment, time of signing and device.
    public let claims: SignedDataClaims
    /// The decoded payload, such as a `TransactionPayload`.
    ///
    /// Cast the payload to its type to read the members that only one kind of signed data has.
    public let payload: any Hashable & Sendable
    /// The payload as JSON, in the bytes that were signed.
    public let json: [UInt8]
    /// The signer, the environment and the time of signing.
    public let signature: SignatureInfo
    /// The signed data as a compact JWS.
    public let original: String
}

/// The signer, the environment and the time of signing of data whose signature is verified.
public struct SignatureInfo: Sendable {
    /// The environment of the data, in which the root of the certificate chain is trusted; nil when the data states none and nothing else
    /// implies it.
    public let knownEnvironment: AppEnvironment?
    /// ``knownEnvironment``, or the sandbox when it is unknown, so that a check that requires production refuses the data.
    public var environment: AppEnvironment { knownEnvironment ?? .sandbox }
    /// The time of signing that the data states; for a transaction receipt, the earliest time at which it can have been signed.
    public let signedDate: Timestamp
    /// The path of the certificates in the data, such as `header.x5c`, for the place of a refusal.
    public let certificatesPlace: String

    private let signer: Signer

    private enum Signer: Sendable {
        case chain(VerifiedChain)
        case certificate([UInt8], validity: ClosedRange<Timestamp>)
    }

    init(_ chain: VerifiedChain, environment: AppEnvironment?, signedDate: Timestamp, certificatesPlace: String) {
        self.init(.chain(chain), environment, signedDate, certificatesPlace)
    }

    init(
        certificate: [UInt8], validity: ClosedRange<Timestamp>, environment: AppEnvironment, signedDate: Timestamp,
        certificatesPlace: String
    ) {
        self.init(.certificate(certificate, validity: validity), environment, signedDate, certificatesPlace)
    }

    private init(_ signer: Signer, _ environment: AppEnvironment?, _ signedDate: Timestamp, _ certificatesPlace: String) {
        self.signer = signer
        knownEnvironment = environment
        self.signedDate = signedDate
        self.certificatesPlace = certificatesPlace
    }

    /// The certificates of the chain as DER: the leaf, whose key signed the data, the intermediate, and the root.
    ///
    /// Data from Xcode has a single, self-signed certificate. A transaction receipt contains the leaf only.
    public var certificates: [[UInt8]] {
        switch signer {
        case .chain(let chain): chain.encoded
        case .certificate(let certificate, _): [certificate]
        }
    }

    /// The SHA-256 fingerprint of the root in upper-case hexadecimal with colons; nil for transaction receipts, which contain no root.
    public var rootFingerprint: String? {
        switch signer {
        case .chain(let chain): chain.root.description
        case .certificate: nil
        }
    }

    /// The period in which all of ``certificates`` are valid, in whole seconds.
    public var validity: ClosedRange<Timestamp> {
        switch signer {
        case .chain(let chain): chain.validity
        case .certificate(_, let validity): validity
        }
    }
}
