import Foundation
import LocalAppStore
import PurchaseModel
import StoreKit
import StoreProtocol

extension SKTestError {
    /// Creates the error that a test session throws for an error of its store.
    init(_ error: any Error) {
        switch error as? InProcessError {
        case .transactionUnknown: self.init(.noTransactionFound)
        case .subscriptionUnknown: self.init(.noSubscriptionFound)
        case .productUnknown: self.init(.invalidProductIdentifier)
        case .invalidState(let message): self.init(.invalidAction, userInfo: [NSLocalizedDescriptionKey: message])
        case nil: self.init(.serviceUnavailable, userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    /// Creates the error for a purchase that returned no transaction; returns nil for a completed purchase.
    init?(_ reply: PurchaseReply) {
        switch reply {
        case .purchased: return nil
        case .deferred, .askToBuyConfirmationRequired:
            self.init(.invalidAction, userInfo: [NSLocalizedDescriptionKey: "The purchase is pending a parent's approval."])
        case .refused(SKError.Code.storeProductNotAvailable.rawValue, _): self.init(.invalidProductIdentifier)
        case .refused(_, let message): self.init(.invalidAction, userInfo: [NSLocalizedDescriptionKey: message])
        }
    }
}
