public import Crypto
public import Foundation
import PurchaseModel

extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
    /// The signed renewal information as a compact JWS, which a server can verify.
    public var jwsRepresentation: String { parts.compact }
    /// The header's JSON.
    public var headerData: Data { parts.header }
    /// The payload's JSON.
    public var payloadData: Data { parts.payload }
    /// The signature; 64 bytes.
    public var signatureData: Data { parts.signature }
    /// The signature as a value of Crypto.
    public var signature: P256.Signing.ECDSASignature { parts.cryptoSignature }
    /// The data that the signature covers.
    public var signedData: Data { parts.signed }
    /// The date of the signature.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// The SHA-384 hash of the nonce and ``AppStore/deviceVerificationID``; empty when the signed copy is bound to no device.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
    /// The nonce of `deviceVerification`.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }

    private var parts: SignedParts { SignedParts(compact: unsafePayloadValue.signed.compact) }
}
