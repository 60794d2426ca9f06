public import Foundation
import PurchaseModel

/// Formats a range of dates as a number of years, months, weeks or days, such as `3 months`.
///
/// The style replaces Foundation's `Date.ComponentsFormatStyle`, which has no initializer on Linux. Foundation has no localized names of
/// calendar units on Linux, so this module contains the names for many languages; other languages use English.
public struct PeriodFormatStyle: Foundation.FormatStyle, Sendable {
    /// The length of the text for a number and its unit.
    public enum Style: String, Codable, Hashable, Sendable {
        /// The full name of the unit: `3 months`.
        case wide
        /// An abbreviated name of the unit: `3 mths`.
        case abbreviated
        /// The same name as with ``abbreviated``, without a space between number and unit: `3mths`.
        case condensedAbbreviated
        /// The shortest name of the unit: `3m`.
        case narrow
        /// The number and the unit in words: `three months`.
        case spellOut
    }

    /// The length of the text for a number and its unit.
    public var style: Style
    /// The locale whose language the text has.
    public var locale: Locale

    /// Creates a style with a length and a locale.
    package init(style: Style = .wide, locale: Locale) {
        self.style = style
        self.locale = locale
    }

    /// Formats the length of a range of dates in years, months, and weeks or days, without parts that are zero.
    public func format(_ value: Range<Date>) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = locale
        let parts = calendar.dateComponents([.year, .month, .day], from: value.lowerBound, to: value.upperBound)
        let days = parts.day ?? 0
        let (weeks, rest) = days % 7 == 0 ? (days / 7, 0) : (0, days)
        let counts: [(Int, BillingPeriod.Unit)] = [(parts.year ?? 0, .year), (parts.month ?? 0, .month), (weeks, .week), (rest, .day)]
        let words = PeriodWords.of(locale)
        let text = counts.filter { $0.0 != 0 }.map { words.text($0.0, $0.1, style, in: locale) }
        return text.isEmpty ? words.text(0, .day, style, in: locale) : text.joined(separator: words.separator(style))
    }

    /// Returns the same style for another locale.
    public func locale(_ locale: Locale) -> PeriodFormatStyle { PeriodFormatStyle(style: style, locale: locale) }
}
