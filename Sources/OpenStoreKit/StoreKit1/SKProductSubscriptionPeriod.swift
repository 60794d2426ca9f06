public import Foundation
import PurchaseModel

/// How long one period of a subscription lasts.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    private let period: BillingPeriod?

    /// Creates a period without content, for subclasses.
    public override init() {
        period = nil
    }

    init(_ period: BillingPeriod) {
        self.period = period
    }

    /// How many units.
    open var numberOfUnits: Int { period?.value ?? 0 }

    /// Which unit.
    open var unit: SKProduct.PeriodUnit {
        switch period?.unit {
        case .day, nil: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }
}

extension SKProduct {
    /// The unit of a period; raw values are Apple's.
    public enum PeriodUnit: UInt, Sendable {
        /// A day.
        case day = 0
        /// A week.
        case week = 1
        /// A month.
        case month = 2
        /// A year.
        case year = 3
    }
}
