public import Foundation
import OpenStoreKit

extension VerificationResult {
    /// The reason why signed data was not verified.
    public enum VerificationError: Error, Hashable, Sendable {
        /// A certificate of the chain was revoked, or nobody could say whether it was; trying again later may help.
        case revokedCertificate
        /// The certificates can be read and are not good for signing this.
        case invalidCertificateChain
        /// It was not made for this app on this device.
        case invalidDeviceVerification
        /// The header or a certificate can't be read.
        case invalidEncoding
        /// The certificates are good, and the signature is not by the first one's key.
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

    /// Why, in a sentence.
    public var failureReason: String? {
        switch self {
        case .revokedCertificate: "A certificate that signed it was revoked."
        case .invalidCertificateChain: "The certificates that signed it are not trusted."
        case .invalidDeviceVerification: "It was made for another device or app."
        case .invalidEncoding: "It can't be read."
        case .invalidSignature: "Its signature does not match its content."
        case .missingRequiredProperties: "It lacks something that is needed to verify it."
        }
    }

    /// A sentence with a remedy.
    public var recoverySuggestion: String? { "Try again later." }
}
