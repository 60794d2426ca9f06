import PurchaseModel
import PurchaseProof

extension VerifyReceiptStatus {
    /// The status that the App Store would have sent.
    ///
    /// No `default`: a new reason must choose its number.
    ///
    /// It travels in the body of an answer with HTTP status 200, as it always has: clients read the number, and take any other
    /// HTTP status for an outage.
    init(_ failure: VerificationFailure) {
        self =
            switch failure {
            case .indeterminate: .internalError
            case .refused(let refusal):
                switch refusal.reason {
                case .malformed, .tooLarge, .algorithm: .malformed
                case .signature, .untrustedRoot, .chain, .marker, .validity, .revoked: .notAuthenticated
                // The store knows its own apps only; receipts for others are nobody's here.
                case .foreignBundle, .foreignApp: .notAuthenticated
                case .foreignEnvironment(AppEnvironment.production.rawValue): .productionReceiptAtTest
                case .foreignEnvironment(AppEnvironment.sandbox.rawValue): .testReceiptAtProduction
                // Neither address takes what Xcode signed.
                case .foreignEnvironment: .malformed
                // Device, version and age are for the device to check; the addresses never ask about them.
                case .foreignDevice, .foreignVersion, .expired, .tooOld, .custom: .notAuthenticated
                }
            }
    }
}
