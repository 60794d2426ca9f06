import Crypto
import Foundation
import PurchaseTestSupport
import StoreKit

/// StoreKit 2's type aliases.
extension StoreKitUses {
    mutating func addNames() {
        add("SubscriptionInfo", SubscriptionInfo.self)
        add("SubscriptionPeriod", SubscriptionPeriod.self)
        add("SubscriptionRenewalInfo", SubscriptionRenewalInfo.self)
        add("SubscriptionRenewalState", SubscriptionRenewalState.self)
        add("SubscriptionStatus", SubscriptionStatus.self)
    }
}
