package import PurchaseProof

/// The defect of signed data, as one of StoreKit's six verification errors.
package enum VerificationFault: Hashable, Sendable, CaseIterable {
    /// A certificate is revoked, or its revocation status is unavailable.
    case revokedCertificate
    /// The certificates do not chain to a trusted root, or were not valid at the time of signing.
    case invalidCertificateChain
    /// The data was not signed for this app on this device.
    case invalidDeviceVerification
    /// The data can't be decoded.
    case invalidEncoding
    /// The data was changed, or another key signed it.
    case invalidSignature
    /// The header or a certificate lacks what verification needs.
    case missingRequiredProperties

    /// Creates the fault of a failed verification.
    package init(_ failure: VerificationFailure) {
        switch failure {
        case .refused(let refusal): self.init(refusal.reason)
        case .indeterminate: self = .revokedCertificate
        }
    }

    /// Creates the fault of a reason.
    ///
    /// The switch has no `default`: a new reason must choose its fault.
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
