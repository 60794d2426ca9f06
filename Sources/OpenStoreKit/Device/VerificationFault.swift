package import PurchaseProof

/// A reason why signed data is not valid: one of the six cases of StoreKit's `VerificationResult.VerificationError`.
package enum VerificationFault: Hashable, Sendable, CaseIterable {
    /// A certificate is revoked, or its revocation status is unavailable.
    case revokedCertificate
    /// The certificates do not chain to a trusted root, or were not valid at the time of signing.
    case invalidCertificateChain
    /// The data was not signed for this device, app or environment.
    case invalidDeviceVerification
    /// The data can't be decoded.
    case invalidEncoding
    /// The data was changed, or another key signed it.
    case invalidSignature
    /// The header or a certificate lacks a property that the verification requires.
    case missingRequiredProperties

    /// Creates StoreKit's verification error for a failed verification.
    package init(_ failure: VerificationFailure) {
        switch failure {
        case .refused(let refusal): self.init(refusal.reason)
        case .indeterminate: self = .revokedCertificate
        }
    }

    /// Creates StoreKit's verification error for the reason of a refusal.
    ///
    /// The switch has no `default`, so that a new reason must be assigned to a case.
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
