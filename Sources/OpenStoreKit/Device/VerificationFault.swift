package import PurchaseProof

/// What is wrong with signed data, in the six words that StoreKit has for it.
package enum VerificationFault: Hashable, Sendable, CaseIterable {
    /// A certificate is revoked, or its revocation status is unavailable.
    case revokedCertificate
    /// The certificates do not chain to a trusted root, or were not valid at the time of signing.
    case invalidCertificateChain
    /// It was not made for this app on this device.
    case invalidDeviceVerification
    /// It can't be read.
    case invalidEncoding
    /// Something was changed, or another key signed it.
    case invalidSignature
    /// The header or a certificate lacks what verification needs.
    case missingRequiredProperties

    /// The error for a failed verification.
    package init(_ failure: VerificationFailure) {
        switch failure {
        case .refused(let refusal): self.init(refusal.reason)
        case .indeterminate: self = .revokedCertificate
        }
    }

    /// The error for a reason.
    ///
    /// No `default`: a new reason must choose its error.
    init(_ reason: Refusal.Reason) {
        self =
            switch reason {
            case .malformed, .tooLarge: .invalidEncoding
            case .algorithm, .marker: .missingRequiredProperties
            case .signature: .invalidSignature
            case .untrustedRoot, .chain, .validity, .expired, .tooOld: .invalidCertificateChain
            case .revoked: .revokedCertificate
            case .foreignBundle, .foreignApp, .foreignVersion, .foreignEnvironment, .foreignDevice, .custom:
                .invalidDeviceVerification
            }
    }
}
