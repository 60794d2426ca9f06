public import Crypto
public import Foundation
import PurchaseModel

extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
    /// What the store signed about renewal information, as a compact JWS: to be sent to one's own server and verified there.
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
    /// Binds this copy to a device: SHA-384 over nonce and ``AppStore/deviceVerificationID``; empty in a copy bound to none.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
    /// The nonce of `deviceVerification`.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }

    private var parts: SignedParts { SignedParts(compact: unsafePayloadValue.signed.compact) }
}
