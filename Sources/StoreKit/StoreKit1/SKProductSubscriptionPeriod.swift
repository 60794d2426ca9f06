public import CStoreKit
public import Foundation
import PurchaseModel

/// The duration of a subscription period.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    /// Set once, before other threads can access the object.
    private var period: BillingPeriod?
    private let keyed = KeyedValues()

    /// Creates a period without content, for subclasses.
    public override init() {}

    convenience init(_ period: BillingPeriod) {
        self.init()
        self.period = period
    }

    /// The number of units.
    open var numberOfUnits: Int { keyed["numberOfUnits"] ?? period?.value ?? 0 }

    /// The unit of time.
    open var unit: SKProduct.PeriodUnit {
        if let unit: SKProduct.PeriodUnit = keyed.choice("unit") { return unit }
        return switch period?.unit {
        case .day, nil: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }

    /// Sets the value of a property by its name, for tests.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}
