import PurchaseModel
import PurchaseProof

extension VerifyReceiptStatus {
    /// The App Store's status for a verification failure.
    ///
    /// The `switch` has no `default`, so that each new failure requires a status.
    ///
    /// The status is in the body of a response with HTTP status 200, as in the App Store: clients read the status, and treat any other
    /// HTTP status as an outage.
    init(_ failure: VerificationFailure) {
        self =
            switch failure {
            case .indeterminate: .internalError
            case .refused(let refusal):
                switch refusal.reason {
                case .malformed, .tooLarge, .algorithm: .malformed
                case .signature, .untrustedRoot, .chain, .marker, .validity, .revoked: .notAuthenticated
                // The store can only answer about its own apps; a receipt of another app gets a refusal.
                case .foreignBundle, .foreignApp: .notAuthenticated
                case .foreignEnvironment(AppEnvironment.production.rawValue): .productionReceiptAtTest
                case .foreignEnvironment(AppEnvironment.sandbox.rawValue): .testReceiptAtProduction
                // Neither URL of `verifyReceipt` accepts receipts that Xcode signed.
                case .foreignEnvironment: .malformed
                // The device checks the device, the version and the age of a receipt; `verifyReceipt` does not.
                case .foreignDevice, .foreignVersion, .expired, .tooOld, .custom: .notAuthenticated
                }
            }
    }
}
