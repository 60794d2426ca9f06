import Foundation
import LocalAppStore

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
}
