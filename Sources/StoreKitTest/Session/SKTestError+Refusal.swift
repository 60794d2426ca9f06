import Foundation
import LocalAppStore
import PurchaseModel
import PurchaseProtocol
import StoreKit

extension SKTestError {
    /// Creates the error for a refusal by a session's store.
    init(_ error: any Error) {
        switch error as? InProcessError {
        case .transactionUnknown: self.init(.noTransactionFound)
        case .subscriptionUnknown: self.init(.noSubscriptionFound)
        case .productUnknown: self.init(.invalidProductIdentifier)
        case .invalidState(let message): self.init(.invalidAction, userInfo: [NSLocalizedDescriptionKey: message])
        case nil: self.init(.serviceUnavailable, userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    /// Creates the error of a purchase without a transaction; nil when the purchase has one.
    init?(_ reply: PurchaseReply) {
        switch reply {
        case .purchased: return nil
        case .deferred, .askToBuyConfirmationRequired:
            self.init(.invalidAction, userInfo: [NSLocalizedDescriptionKey: "The purchase is pending until a parent approves it."])
        case .refused(SKError.Code.storeProductNotAvailable.rawValue, _): self.init(.invalidProductIdentifier)
        case .refused(_, let message): self.init(.invalidAction, userInfo: [NSLocalizedDescriptionKey: message])
        }
    }
}
