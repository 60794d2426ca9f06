public import Foundation
import PurchaseModel

/// Writes a range of dates as a number of years, months, weeks or days, such as `3 months`; in the place of Foundation's
/// `Date.ComponentsFormatStyle`, which has no initializer on Linux.
///
/// The words are our own, in many languages and otherwise in English: Foundation has no calendar units of other
/// languages on Linux.
public struct PeriodFormatStyle: Foundation.FormatStyle, Sendable {
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

    /// Creates a style.
    package init(style: Style = .wide, locale: Locale) {
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
        let counts: [(Int, BillingPeriod.Unit)] = [(parts.year ?? 0, .year), (parts.month ?? 0, .month), (weeks, .week), (rest, .day)]
        let words = PeriodWords.of(locale)
        let text = counts.filter { $0.0 != 0 }.map { words.text($0.0, $0.1, style, in: locale) }
        return text.isEmpty ? words.text(0, .day, style, in: locale) : text.joined(separator: words.separator(style))
    }

    /// The same style for another locale.
    public func locale(_ locale: Locale) -> PeriodFormatStyle { PeriodFormatStyle(style: style, locale: locale) }
}
