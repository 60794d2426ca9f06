public import Foundation
import OpenStoreKit

extension VerificationResult {
    /// The reason why signed data was not verified.
    public enum VerificationError: Error, Hashable, Sendable {
        /// A certificate of the chain was revoked, or its revocation status is unavailable; a later attempt may succeed.
        case revokedCertificate
        /// The certificates do not chain to a trusted root, or were not valid at the time of signing.
        case invalidCertificateChain
        /// The data was not signed for this app on this device.
        case invalidDeviceVerification
        /// The data can't be decoded.
        case invalidEncoding
        /// The certificates are valid, but the signature does not match the data.
        case invalidSignature
        /// The header or a certificate lacks what verification needs.
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
    /// A sentence that describes the error.
    public var errorDescription: String? { "The purchase information could not be verified." }

    /// A sentence that describes the cause.
    public var failureReason: String? {
        switch self {
        case .revokedCertificate: "A certificate of the signature was revoked, or its revocation status is unavailable."
        case .invalidCertificateChain: "The certificates of the signature are not trusted."
        case .invalidDeviceVerification: "The data was signed for another device or app."
        case .invalidEncoding: "The data can't be decoded."
        case .invalidSignature: "The signature does not match the data."
        case .missingRequiredProperties: "The data lacks a property that verification requires."
        }
    }

    /// A sentence with a remedy.
    public var recoverySuggestion: String? { "Try again later." }
}
