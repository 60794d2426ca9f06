public import Foundation
import OpenStoreKit

extension VerificationResult {
    /// The reason why the verification of signed data failed.
    public enum VerificationError: Error, Hashable, Sendable {
        /// A certificate of the signature was revoked, or its revocation status is unavailable, in which case a later attempt may succeed.
        case revokedCertificate
        /// The certificates of the signature do not chain to a trusted root, or were not valid at the time of signing.
        case invalidCertificateChain
        /// The data was signed for another app or another device.
        case invalidDeviceVerification
        /// The signed data can't be decoded.
        case invalidEncoding
        /// The certificates are valid, but the signature does not match the data.
        case invalidSignature
        /// The header of the signed data or a certificate lacks a property that the verification requires.
        case missingRequiredProperties

        init(_ fault: VerificationFault) {
            self =
                switch fault {
                case .revokedCertificate: .revokedCertificate
                case .invalidCertificateChain: .invalidCertificateChain
                case .invalidDeviceVerification: .invalidDeviceVerification
                case .invalidEncoding: .invalidEncoding
                case .invalidSignature: .invalidSignature
                case .missingRequiredProperties: .missingRequiredProperties
                }
        }
    }
}

extension VerificationResult.VerificationError: LocalizedError {
    /// A message that describes the error.
    public var errorDescription: String? { "The signed purchase information could not be verified." }

    /// A message that describes the cause of the error.
    public var failureReason: String? {
        switch self {
        case .revokedCertificate: "A certificate of the signature was revoked, or its revocation status is unavailable."
        case .invalidCertificateChain: "The certificates of the signature are not trusted or were not valid when the data was signed."
        case .invalidDeviceVerification: "The purchase information was signed for another device or app."
        case .invalidEncoding: "The signed purchase information can't be decoded."
        case .invalidSignature: "The signature does not match the purchase information."
        case .missingRequiredProperties: "The signed purchase information lacks a property that the verification requires."
        }
    }

    /// A message that suggests how to resolve the error.
    public var recoverySuggestion: String? { "Update the app, and try again later." }
}
