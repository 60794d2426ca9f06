import Crypto
import Foundation
import PurchaseTestSupport
import StoreKit

/// Verification results and their errors.
extension StoreKitUses {
    mutating func addVerification() {
        of("VerificationResult", VerificationResult<Transaction>.self as any (Hashable & Sendable & CustomDebugStringConvertible).Type)
        has(
            "unverified(_:_:)",
            { (a: Transaction, b: VerificationResult<Transaction>.VerificationError) -> VerificationResult<Transaction> in .unverified(a, b)
            })
        has("verified(_:)", { (a: Transaction) -> VerificationResult<Transaction> in .verified(a) })
        has(
            "jwsRepresentation",
            [
                { (it: VerificationResult<Transaction>) -> String in it.jwsRepresentation },
                { (it: VerificationResult<AppTransaction>) -> String in it.jwsRepresentation },
                { (it: VerificationResult<SubscriptionRenewalInfo>) -> String in it.jwsRepresentation },
            ] as [Any])
        has(
            "headerData",
            [
                { (it: VerificationResult<Transaction>) -> Data in it.headerData },
                { (it: VerificationResult<AppTransaction>) -> Data in it.headerData },
                { (it: VerificationResult<SubscriptionRenewalInfo>) -> Data in it.headerData },
            ] as [Any])
        has(
            "payloadData",
            [
                { (it: VerificationResult<Transaction>) -> Data in it.payloadData },
                { (it: VerificationResult<AppTransaction>) -> Data in it.payloadData },
                { (it: VerificationResult<SubscriptionRenewalInfo>) -> Data in it.payloadData },
            ] as [Any])
        has(
            "signatureData",
            [
                { (it: VerificationResult<Transaction>) -> Data in it.signatureData },
                { (it: VerificationResult<AppTransaction>) -> Data in it.signatureData },
                { (it: VerificationResult<SubscriptionRenewalInfo>) -> Data in it.signatureData },
            ] as [Any])
        has(
            "signature",
            [
                { (it: VerificationResult<Transaction>) -> P256.Signing.ECDSASignature in it.signature },
                { (it: VerificationResult<AppTransaction>) -> P256.Signing.ECDSASignature in it.signature },
                { (it: VerificationResult<SubscriptionRenewalInfo>) -> P256.Signing.ECDSASignature in it.signature },
            ] as [Any])
        has(
            "signedData",
            [
                { (it: VerificationResult<Transaction>) -> Data in it.signedData },
                { (it: VerificationResult<AppTransaction>) -> Data in it.signedData },
                { (it: VerificationResult<SubscriptionRenewalInfo>) -> Data in it.signedData },
            ] as [Any])
        has(
            "signedDate",
            [
                { (it: VerificationResult<Transaction>) -> Date in it.signedDate },
                { (it: VerificationResult<AppTransaction>) -> Date in it.signedDate },
                { (it: VerificationResult<SubscriptionRenewalInfo>) -> Date in it.signedDate },
            ] as [Any])
        has(
            "deviceVerification",
            [
                { (it: VerificationResult<Transaction>) -> Data in it.deviceVerification },
                { (it: VerificationResult<AppTransaction>) -> Data in it.deviceVerification },
                { (it: VerificationResult<SubscriptionRenewalInfo>) -> Data in it.deviceVerification },
            ] as [Any])
        has(
            "deviceVerificationNonce",
            [
                { (it: VerificationResult<Transaction>) -> UUID in it.deviceVerificationNonce },
                { (it: VerificationResult<AppTransaction>) -> UUID in it.deviceVerificationNonce },
                { (it: VerificationResult<SubscriptionRenewalInfo>) -> UUID in it.deviceVerificationNonce },
            ] as [Any])
        has("payloadValue", { (it: VerificationResult<Transaction>) throws -> Transaction in try it.payloadValue })
        has("unsafePayloadValue", { (it: VerificationResult<Transaction>) -> Transaction in it.unsafePayloadValue })
        has("debugDescription", { (it: VerificationResult<Transaction>) -> String in it.debugDescription })
        of(
            "VerificationResult.VerificationError",
            VerificationResult<Transaction>.VerificationError.self as any (LocalizedError & Hashable).Type)
        has("revokedCertificate", VerificationResult<Transaction>.VerificationError.revokedCertificate)
        has("invalidCertificateChain", VerificationResult<Transaction>.VerificationError.invalidCertificateChain)
        has("invalidDeviceVerification", VerificationResult<Transaction>.VerificationError.invalidDeviceVerification)
        has("invalidEncoding", VerificationResult<Transaction>.VerificationError.invalidEncoding)
        has("invalidSignature", VerificationResult<Transaction>.VerificationError.invalidSignature)
        has("missingRequiredProperties", VerificationResult<Transaction>.VerificationError.missingRequiredProperties)
        has("errorDescription", { (it: VerificationResult<Transaction>.VerificationError) -> String? in it.errorDescription })
        has("failureReason", { (it: VerificationResult<Transaction>.VerificationError) -> String? in it.failureReason })
        has("recoverySuggestion", { (it: VerificationResult<Transaction>.VerificationError) -> String? in it.recoverySuggestion })
    }
}
