public import Foundation

extension Product.SubscriptionPeriod {
    /// Writes a range of dates as a number of years, months, weeks or days, such as `3 months`.
    ///
    /// The words are English: Foundation has no calendar units of other languages on Linux.
    public struct RangeFormatStyle: Foundation.FormatStyle, Sendable {
        private var locale: Locale

        init(locale: Locale) {
            self.locale = locale
        }

        /// The range's length, in the largest units that it consists of.
        public func format(_ value: Range<Date>) -> String {
            var calendar = Calendar(identifier: .gregorian)
            calendar.locale = locale
            let parts = calendar.dateComponents([.year, .month, .day], from: value.lowerBound, to: value.upperBound)
            var days = parts.day ?? 0
            var words = [words(parts.year ?? 0, "year"), words(parts.month ?? 0, "month")]
            if days % 7 == 0 {
                words.append(self.words(days / 7, "week"))
                days = 0
            }
            words.append(self.words(days, "day"))
            let text = words.compactMap(\.self)
            return text.isEmpty ? "0 days" : text.joined(separator: ", ")
        }

        /// The same style for another locale.
        public func locale(_ locale: Locale) -> RangeFormatStyle { RangeFormatStyle(locale: locale) }

        private func words(_ count: Int, _ unit: String) -> String? {
            count == 0 ? nil : "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
    }
}

extension Product.SubscriptionPeriod.Unit {
    /// Writes a unit, such as `Month`.
    ///
    /// The words are English: Foundation has no calendar units of other languages on Linux.
    public struct FormatStyle: Foundation.FormatStyle, Sendable {
        private var locale: Locale

        init(locale: Locale) {
            self.locale = locale
        }

        /// The unit's name.
        public func format(_ value: Product.SubscriptionPeriod.Unit) -> String { value.localizedDescription }

        /// The same style for another locale.
        public func locale(_ locale: Locale) -> FormatStyle { FormatStyle(locale: locale) }
    }

    /// The unit as a style writes it, such as ``Product/subscriptionPeriodUnitFormatStyle``.
    public func formatted<S>(_ format: S) -> S.FormatOutput
    where S: Foundation.FormatStyle, S.FormatInput == Product.SubscriptionPeriod.Unit {
        format.format(self)
    }

    /// The unit as a person reads it.
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
