public import Crypto
public import Foundation
import PurchaseModel

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
