public import Foundation
import PurchaseModel

extension Product {
    /// The duration of a billing period of a subscription or an offer.
    public struct SubscriptionPeriod: Hashable, Sendable {
        /// The unit of time of a period.
        public enum Unit: Hashable, Comparable, Sendable {
            /// A calendar day.
            case day
            /// A week of seven calendar days.
            case week
            /// A calendar month.
            case month
            /// A calendar year.
            case year
        }

        /// The unit of time of a period.
        public let unit: Unit
        /// The number of units in the period.
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

        /// A period of one week.
        public static var weekly: SubscriptionPeriod { SubscriptionPeriod(1, .week) }
        /// A period of one month.
        public static var monthly: SubscriptionPeriod { SubscriptionPeriod(1, .month) }
        /// A period of one year.
        public static var yearly: SubscriptionPeriod { SubscriptionPeriod(1, .year) }
        /// A period of three days.
        public static var everyThreeDays: SubscriptionPeriod { SubscriptionPeriod(3, .day) }
        /// A period of two weeks.
        public static var everyTwoWeeks: SubscriptionPeriod { SubscriptionPeriod(2, .week) }
        /// A period of two months.
        public static var everyTwoMonths: SubscriptionPeriod { SubscriptionPeriod(2, .month) }
        /// A period of three months.
        public static var everyThreeMonths: SubscriptionPeriod { SubscriptionPeriod(3, .month) }
        /// A period of six months.
        public static var everySixMonths: SubscriptionPeriod { SubscriptionPeriod(6, .month) }

        /// Returns the range of dates of a period that begins at `referenceDate`.
        public func dateRange(referenceDate: Date = .now) -> Range<Date> {
            let calendar = Calendar(identifier: .gregorian)
            let end = calendar.date(byAdding: DateComponents(subscriptionPeriod: self), to: referenceDate) ?? referenceDate
            return referenceDate..<max(referenceDate, end)
        }

        /// Formats a period that begins at `referenceDate` with a style for ranges of dates.
        ///
        /// Use a style such as ``Product/subscriptionPeriodFormatStyle``.
        public func formatted<S>(_ format: S, referenceDate: Date = .now) -> S.FormatOutput
        where S: Foundation.FormatStyle, S.FormatInput == Range<Date> {
            format.format(dateRange(referenceDate: referenceDate))
        }

        /// Formats the duration of a period that begins at `referenceDate` with a style for durations.
        public func formatted<S>(_ format: S, referenceDate: Date = .now) -> S.FormatOutput
        where S: Foundation.FormatStyle, S.FormatInput == Duration {
            let range = dateRange(referenceDate: referenceDate)
            return format.format(.seconds(range.upperBound.timeIntervalSince(range.lowerBound)))
        }
    }
}

extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
    /// The number and the unit of the period, such as `3 Months`.
    public var debugDescription: String { "\(value) \(unit.debugDescription)\(value == 1 ? "" : "s")" }
}

extension DateComponents {
    /// Creates date components with the duration of a subscription period.
    public init(subscriptionPeriod period: Product.SubscriptionPeriod) {
        switch period.unit {
        case .day: self.init(day: period.value)
        case .week: self.init(weekOfYear: period.value)
        case .month: self.init(month: period.value)
        case .year: self.init(year: period.value)
        }
    }
}
