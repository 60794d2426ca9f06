import Crypto
import Foundation
import PurchaseTestSupport
import StoreKit

/// Short names.
extension StoreKitUses {
    mutating func addNames() {
        add("SubscriptionInfo", SubscriptionInfo.self)
        add("SubscriptionPeriod", SubscriptionPeriod.self)
        add("SubscriptionRenewalInfo", SubscriptionRenewalInfo.self)
        add("SubscriptionRenewalState", SubscriptionRenewalState.self)
        add("SubscriptionStatus", SubscriptionStatus.self)
    }
}
