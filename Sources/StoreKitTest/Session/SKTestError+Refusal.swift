import Foundation
import LocalAppStore
import PurchaseModel
import PurchaseProtocol
import StoreKit

extension SKTestError {
    /// The error for what a session's store would not do.
    init(_ error: any Error) {
        switch error as? InProcessRefusal {
        case .transactionUnknown: self.init(.noTransactionFound)
        case .subscriptionUnknown: self.init(.noSubscriptionFound)
        case .productUnknown: self.init(.invalidProductIdentifier)
        case .unfit(let sentence): self.init(.invalidAction, userInfo: [NSLocalizedDescriptionKey: sentence])
        case nil: self.init(.serviceUnavailable, userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    /// Why a purchase brought no transaction; nil when it brought one.
    init?(_ reply: PurchaseReply) {
        switch reply {
        case .purchased: return nil
        case .deferred, .permissionNeeded:
            self.init(.invalidAction, userInfo: [NSLocalizedDescriptionKey: "The purchase waits for a parent."])
        case .refused(SKError.Code.storeProductNotAvailable.rawValue, _): self.init(.invalidProductIdentifier)
        case .refused(_, let message): self.init(.invalidAction, userInfo: [NSLocalizedDescriptionKey: message])
        }
    }
}
