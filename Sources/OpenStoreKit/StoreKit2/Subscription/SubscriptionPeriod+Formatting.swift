public import Foundation

extension Product.SubscriptionPeriod {
    /// Writes a range of dates as a number of years, months, weeks or days, such as `3 months`.
    ///
    /// The words are our own, in many languages and otherwise in English: Foundation has no calendar units of other
    /// languages on Linux.
    public struct RangeFormatStyle: Foundation.FormatStyle, Sendable {
        /// How much is written of a number and its unit.
        public enum Style: String, Codable, Hashable, Sendable {
            /// `3 months`.
            case wide
            /// `3 mths`.
            case abbreviated
            /// As ``abbreviated``, without spaces between number and unit.
            case condensedAbbreviated
            /// `3m`.
            case narrow
            /// `three months`.
            case spellOut
        }

        /// How much is written of a number and its unit.
        public var style: Style
        /// The locale in whose language it is written.
        public var locale: Locale

        init(style: Style = .wide, locale: Locale) {
            self.style = style
            self.locale = locale
        }

        /// The range's length, in the largest units that it consists of.
        public func format(_ value: Range<Date>) -> String {
            var calendar = Calendar(identifier: .gregorian)
            calendar.locale = locale
            let parts = calendar.dateComponents([.year, .month, .day], from: value.lowerBound, to: value.upperBound)
            let days = parts.day ?? 0
            let (weeks, rest) = days % 7 == 0 ? (days / 7, 0) : (0, days)
            let counts: [(Int, Product.SubscriptionPeriod.Unit)] = [
                (parts.year ?? 0, .year), (parts.month ?? 0, .month), (weeks, .week), (rest, .day),
            ]
            let words = PeriodWords.of(locale)
            let text = counts.filter { $0.0 != 0 }.map { words.text($0.0, $0.1, style, in: locale) }
            return text.isEmpty ? words.text(0, .day, style, in: locale) : text.joined(separator: words.separator(style))
        }

        /// The same style for another locale.
        public func locale(_ locale: Locale) -> RangeFormatStyle { RangeFormatStyle(style: style, locale: locale) }
    }
}

extension Product.SubscriptionPeriod.Unit {
    /// Writes a unit, such as `Month`, in the languages of ``Product/SubscriptionPeriod/RangeFormatStyle``.
    public struct FormatStyle: Foundation.FormatStyle, Sendable {
        private var locale: Locale

        init(locale: Locale) {
            self.locale = locale
        }

        /// The unit's name.
        public func format(_ value: Product.SubscriptionPeriod.Unit) -> String { PeriodWords.of(locale).name(value) }

        /// The same style for another locale.
        public func locale(_ locale: Locale) -> FormatStyle { FormatStyle(locale: locale) }
    }

    /// The unit as a style writes it, such as ``Product/subscriptionPeriodUnitFormatStyle``.
    public func formatted<S>(_ format: S) -> S.FormatOutput
    where S: Foundation.FormatStyle, S.FormatInput == Product.SubscriptionPeriod.Unit {
        format.format(self)
    }

    /// The unit as a person reads it, in English.
    public var localizedDescription: String {
        switch self {
        case .day: "Day"
        case .week: "Week"
        case .month: "Month"
        case .year: "Year"
        }
    }
}

extension Product.SubscriptionPeriod.Unit: CustomDebugStringConvertible {
    /// The unit's name.
    public var debugDescription: String { localizedDescription }
}
