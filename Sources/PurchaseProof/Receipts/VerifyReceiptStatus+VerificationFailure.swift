package import PurchaseModel

extension VerifyReceiptStatus {
    /// Creates the `status` with which `verifyReceipt` reports that a receipt is not valid.
    ///
    /// The `switch` has no `default`, so that a new kind of failure does not compile without a status.
    ///
    /// The status is part of a response with HTTP status 200, as in the App Store, because clients treat any other HTTP status as an
    /// outage.
    package init(_ failure: VerificationFailure) {
        self =
            switch failure {
            case .indeterminate: .internalError
            case .refused(let refusal):
                switch refusal.reason {
                case .malformed, .missingMember, .tooLarge, .algorithm: .malformed
                case .signature, .untrustedRoot, .chain, .marker, .validity, .revoked: .notAuthenticated
                // The receipt belongs to an app that the service does not have.
                case .foreignBundle, .foreignApp: .notAuthenticated
                case .foreignEnvironment(AppEnvironment.production.rawValue): .productionReceiptAtTest
                case .foreignEnvironment(AppEnvironment.sandbox.rawValue): .testReceiptAtProduction
                // The sandbox and the production URL of `verifyReceipt` both refuse receipts that Xcode signed.
                case .foreignEnvironment: .malformed
                // Apps check the device, the version and the age of a receipt; `verifyReceipt` does not, so these failures do not occur.
                case .foreignDevice, .foreignVersion, .expired, .tooOld, .custom: .notAuthenticated
                }
            }
    }
}
