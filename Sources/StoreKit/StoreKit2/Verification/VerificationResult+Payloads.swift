public import Crypto
public import Foundation
import PurchaseModel
import PurchaseProof

extension VerificationResult where SignedType == AppTransaction {
    /// The signed app transaction as a compact JWS, which a server can verify.
    public var jwsRepresentation: String { parts.compact }
    /// The decoded header of the JWS as JSON.
    public var headerData: Data { parts.header }
    /// The decoded payload of the JWS as JSON.
    public var payloadData: Data { parts.payload }
    /// The decoded signature of the JWS; 64 bytes for ES256.
    public var signatureData: Data { parts.signature }
    /// The signature of the JWS as an ECDSA signature of the Crypto module.
    public var signature: P256.Signing.ECDSASignature { parts.cryptoSignature }
    /// The data that the signature covers: the encoded header and payload, with a dot between them.
    public var signedData: Data { parts.signed }
    /// The date on which the App Store signed the app transaction.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// The SHA-384 hash of `deviceVerificationNonce` and ``AppStore/deviceVerificationID``; empty for data not bound to a device.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
    /// The UUID that is hashed in `deviceVerification`.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }

    private var parts: SignedParts { SignedParts(compact: unsafePayloadValue.signed.compact) }
}

extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
    /// The signed renewal information as a compact JWS, which a server can verify.
    public var jwsRepresentation: String { parts.compact }
    /// The decoded header of the JWS as JSON.
    public var headerData: Data { parts.header }
    /// The decoded payload of the JWS as JSON.
    public var payloadData: Data { parts.payload }
    /// The decoded signature of the JWS; 64 bytes for ES256.
    public var signatureData: Data { parts.signature }
    /// The signature of the JWS as an ECDSA signature of the Crypto module.
    public var signature: P256.Signing.ECDSASignature { parts.cryptoSignature }
    /// The data that the signature covers: the encoded header and payload, with a dot between them.
    public var signedData: Data { parts.signed }
    /// The date on which the App Store signed the renewal information.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// The SHA-384 hash of `deviceVerificationNonce` and ``AppStore/deviceVerificationID``; empty for data not bound to a device.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
    /// The UUID that is hashed in `deviceVerification`.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }

    private var parts: SignedParts { SignedParts(compact: unsafePayloadValue.signed.compact) }
}

extension VerificationResult where SignedType == Transaction {
    /// The signed transaction as a compact JWS, which a server can verify.
    public var jwsRepresentation: String { parts.compact }
    /// The decoded header of the JWS as JSON.
    public var headerData: Data { parts.header }
    /// The decoded payload of the JWS as JSON.
    public var payloadData: Data { parts.payload }
    /// The decoded signature of the JWS; 64 bytes for ES256.
    public var signatureData: Data { parts.signature }
    /// The signature of the JWS as an ECDSA signature of the Crypto module.
    public var signature: P256.Signing.ECDSASignature { parts.cryptoSignature }
    /// The data that the signature covers: the encoded header and payload, with a dot between them.
    public var signedData: Data { parts.signed }
    /// The date on which the App Store signed the transaction.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// The SHA-384 hash of `deviceVerificationNonce` and ``AppStore/deviceVerificationID``; empty for data not bound to a device.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
    /// The UUID that is hashed in `deviceVerification`.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }

    private var parts: SignedParts { SignedParts(compact: unsafePayloadValue.signed.compact) }
}

/// A StoreKit value that the App Store signs, such as a transaction.
protocol SignedValue: Sendable {
    associatedtype Payload: SignedPayload

    /// Creates the StoreKit value of a signed payload; returns nil if StoreKit can't represent the payload.
    ///
    /// For example, StoreKit can't represent a transaction identifier that is not a number.
    init?(_ payload: Payload, signed: Signed<Payload>, origin: Origin)
}
