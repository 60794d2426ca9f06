/// Information about an auto-renewable subscription.
public typealias SubscriptionInfo = Product.SubscriptionInfo
/// The duration of a subscription period.
public typealias SubscriptionPeriod = Product.SubscriptionPeriod
/// The signed renewal information of a subscription.
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
/// The state of a subscription.
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState
/// The status of one subscription, with its signed data.
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status
