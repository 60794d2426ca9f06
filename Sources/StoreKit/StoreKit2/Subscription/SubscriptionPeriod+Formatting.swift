public import Foundation
import OpenStoreKit
import PurchaseModel

extension Product.SubscriptionPeriod.Unit {
    /// A format style for the unit of a subscription period, which writes a word such as `Month`.
    ///
    /// The style has the same languages as ``Product/subscriptionPeriodFormatStyle``.
    public struct FormatStyle: Foundation.FormatStyle, Sendable {
        private var locale: Locale

        init(locale: Locale) {
            self.locale = locale
        }

        /// Returns the name of a unit in the language of the locale.
        public func format(_ value: Product.SubscriptionPeriod.Unit) -> String { PeriodWords.of(locale).name(value.billingUnit) }

        /// Returns the same format style for another locale.
        public func locale(_ locale: Locale) -> FormatStyle { FormatStyle(locale: locale) }
    }

    /// Formats the unit with a style, such as ``Product/subscriptionPeriodUnitFormatStyle``.
    public func formatted<S>(_ format: S) -> S.FormatOutput
    where S: Foundation.FormatStyle, S.FormatInput == Product.SubscriptionPeriod.Unit {
        format.format(self)
    }

    /// A description of the unit, always in English.
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
    /// The name of the unit in English.
    public var debugDescription: String { localizedDescription }
}
