import PurchaseModel
import PurchaseProof

extension VerifyReceiptStatus {
    /// The status that the App Store would have sent.
    ///
    /// No `default`: a new error must choose its number.
    ///
    /// It travels in the body of an answer with HTTP status 200, as it always has: clients read the number, and take any other
    /// HTTP status for an outage.
    init(_ error: ReceiptError) {
        self =
            switch error {
            case .malformed: .malformed
            // The store knows its own app only; receipts for others are nobody's here.
            case .untrusted, .foreignBundle: .notAuthenticated
            case .foreignEnvironment(.production): .productionReceiptAtTest
            case .foreignEnvironment(.sandbox): .testReceiptAtProduction
            // Neither address takes what Xcode signed.
            case .foreignEnvironment(.xcode): .malformed
            // Device and expiry are for the device to check; the addresses never ask about them.
            case .foreignDevice, .expired: .notAuthenticated
            }
    }
}
