/// The properties of an auto-renewable subscription.
public typealias SubscriptionInfo = Product.SubscriptionInfo
/// The duration of a billing period of a subscription or an offer.
public typealias SubscriptionPeriod = Product.SubscriptionPeriod
/// The signed information about the next renewal of a subscription.
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
/// The renewal state of a subscription, such as subscribed or expired.
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState
/// The status of one subscription, with its latest signed transaction and signed renewal information.
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status
