/// Information about an auto-renewable subscription.
public typealias SubscriptionInfo = Product.SubscriptionInfo
/// How long a period of a subscription lasts.
public typealias SubscriptionPeriod = Product.SubscriptionPeriod
/// What the store intends with a subscription.
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
/// The state of a subscription.
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState
/// How a subscription stands, and what proves it.
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status
