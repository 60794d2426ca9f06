public import Foundation
import PurchaseModel

extension Product {
    /// The duration of a billing period of a subscription or an offer.
    public struct SubscriptionPeriod: Hashable, Sendable {
        /// The unit of time.
        public enum Unit: Hashable, Comparable, Sendable {
            /// A day of 24 hours.
            case day
            /// Seven days.
            case week
            /// A calendar month.
            case month
            /// A calendar year.
            case year
        }

        /// The unit of time.
        public let unit: Unit
        /// The number of units.
        public let value: Int

        init(_ value: Int, _ unit: Unit) {
            self.unit = unit
            self.value = value
        }

        init(_ period: BillingPeriod) {
            value = period.value
            unit =
                switch period.unit {
                case .day: .day
                case .week: .week
                case .month: .month
                case .year: .year
                }
        }

        /// One week.
        public static var weekly: SubscriptionPeriod { SubscriptionPeriod(1, .week) }
        /// One month.
        public static var monthly: SubscriptionPeriod { SubscriptionPeriod(1, .month) }
        /// One year.
        public static var yearly: SubscriptionPeriod { SubscriptionPeriod(1, .year) }
        /// Three days.
        public static var everyThreeDays: SubscriptionPeriod { SubscriptionPeriod(3, .day) }
        /// Two weeks.
        public static var everyTwoWeeks: SubscriptionPeriod { SubscriptionPeriod(2, .week) }
        /// Two months.
        public static var everyTwoMonths: SubscriptionPeriod { SubscriptionPeriod(2, .month) }
        /// Three months.
        public static var everyThreeMonths: SubscriptionPeriod { SubscriptionPeriod(3, .month) }
        /// Six months.
        public static var everySixMonths: SubscriptionPeriod { SubscriptionPeriod(6, .month) }

        /// The range of dates of a period that begins at `referenceDate`.
        public func dateRange(referenceDate: Date = .now) -> Range<Date> {
            let calendar = Calendar(identifier: .gregorian)
            let end = calendar.date(byAdding: DateComponents(subscriptionPeriod: self), to: referenceDate) ?? referenceDate
            return referenceDate..<max(referenceDate, end)
        }

        /// Formats the period with a style for ranges of dates, such as ``Product/subscriptionPeriodFormatStyle``.
        public func formatted<S>(_ format: S, referenceDate: Date = .now) -> S.FormatOutput
        where S: Foundation.FormatStyle, S.FormatInput == Range<Date> {
            format.format(dateRange(referenceDate: referenceDate))
        }

        /// Formats the period with a style for durations.
        public func formatted<S>(_ format: S, referenceDate: Date = .now) -> S.FormatOutput
        where S: Foundation.FormatStyle, S.FormatInput == Duration {
            let range = dateRange(referenceDate: referenceDate)
            return format.format(.seconds(range.upperBound.timeIntervalSince(range.lowerBound)))
        }
    }
}

extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
    /// Number and unit, such as `3 Months`.
    public var debugDescription: String { "\(value) \(unit.debugDescription)\(value == 1 ? "" : "s")" }
}

extension DateComponents {
    /// Creates components with the duration of a period.
    public init(subscriptionPeriod period: Product.SubscriptionPeriod) {
        switch period.unit {
        case .day: self.init(day: period.value)
        case .week: self.init(weekOfYear: period.value)
        case .month: self.init(month: period.value)
        case .year: self.init(year: period.value)
        }
    }
}
