public import CStoreKit
public import Foundation
import PurchaseModel

/// The duration of a subscription period, as a number of units of time.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    /// The period in the store's response; set once, before other threads can access the object.
    private var period: BillingPeriod?
    private let keyed = KeyedValues()

    /// Creates a period of 0 days, for subclasses.
    public override init() {}

    convenience init(_ period: BillingPeriod) {
        self.init()
        self.period = period
    }

    /// The number of units in the period.
    open var numberOfUnits: Int { keyed["numberOfUnits"] ?? period?.value ?? 0 }

    /// The unit of time of the period, such as a month.
    open var unit: SKProduct.PeriodUnit {
        if let unit: SKProduct.PeriodUnit = keyed.choice("unit") { return unit }
        return switch period?.unit {
        case .day, nil: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }

    /// Overrides the value of the property with the name `key`, for tests; nil removes the override.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}
