import PurchaseProof

/// What is wrong with signed data, in the six words that StoreKit has for it.
package enum VerificationFault: Hashable, Sendable, CaseIterable {
    /// A certificate was revoked, or nobody could say whether it was.
    case revokedCertificate
    /// The certificates do not lead to a root that counts, or not at that time.
    case invalidCertificateChain
    /// It was not made for this app on this device.
    case invalidDeviceVerification
    /// It can't be read.
    case invalidEncoding
    /// Something was changed, or another key signed it.
    case invalidSignature
    /// The header or a certificate lacks what verification needs.
    case missingRequiredProperties

    /// The word for what a verifier found.
    init(_ unproven: Unproven) {
        switch unproven {
        case .refused(let refusal): self.init(refusal.reason)
        case .unknown: self = .revokedCertificate
        }
    }

    /// The word for a reason.
    ///
    /// No `default`: a new reason must choose its word.
    init(_ reason: Refusal.Reason) {
        self =
            switch reason {
            case .malformed, .tooLarge: .invalidEncoding
            case .algorithm, .marker: .missingRequiredProperties
            case .signature: .invalidSignature
            case .untrustedRoot, .chain, .validity, .expired, .tooOld: .invalidCertificateChain
            case .revoked: .revokedCertificate
            case .foreignBundle, .foreignApp, .foreignVersion, .foreignEnvironment, .foreignDevice: .invalidDeviceVerification
            }
    }
}
