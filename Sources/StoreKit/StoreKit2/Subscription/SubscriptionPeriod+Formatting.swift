public import Foundation
import OpenStoreKit
import PurchaseModel

extension Product.SubscriptionPeriod.Unit {
    /// Formats a unit, such as `Month`, in the languages of ``Product/subscriptionPeriodFormatStyle``.
    public struct FormatStyle: Foundation.FormatStyle, Sendable {
        private var locale: Locale

        init(locale: Locale) {
            self.locale = locale
        }

        /// The unit's name.
        public func format(_ value: Product.SubscriptionPeriod.Unit) -> String { PeriodWords.of(locale).name(value.billingUnit) }

        /// The same style for another locale.
        public func locale(_ locale: Locale) -> FormatStyle { FormatStyle(locale: locale) }
    }

    /// Formats the unit with a style, such as ``Product/subscriptionPeriodUnitFormatStyle``.
    public func formatted<S>(_ format: S) -> S.FormatOutput
    where S: Foundation.FormatStyle, S.FormatInput == Product.SubscriptionPeriod.Unit {
        format.format(self)
    }

    /// The unit in English, for display.
    public var localizedDescription: String {
        switch self {
        case .day: "Day"
        case .week: "Week"
        case .month: "Month"
        case .year: "Year"
        }
    }
}

extension Product.SubscriptionPeriod.Unit {
    fileprivate var billingUnit: BillingPeriod.Unit {
        switch self {
        case .day: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }
}

extension Product.SubscriptionPeriod.Unit: CustomDebugStringConvertible {
    /// The unit's name.
    public var debugDescription: String { localizedDescription }
}
