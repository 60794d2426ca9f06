import Foundation

/// The duration of a subscription period or of an offer: an ISO 8601 duration with one unit, such as `P1M`.
public struct BillingPeriod: Hashable, Sendable {
    /// The unit of the duration.
    public enum Unit: String, Sendable, CaseIterable {
        /// A day of 24 hours.
        case day = "D"
        /// Seven days.
        case week = "W"
        /// A calendar month.
        case month = "M"
        /// A calendar year.
        case year = "Y"
    }

    /// The number of units in the duration.
    public let value: Int
    /// The unit of the duration.
    public let unit: Unit

    /// Creates a duration; nil unless `value` is from 1 to 366.
    public init?(_ value: Int, _ unit: Unit) {
        guard (1...366).contains(value) else { return nil }
        self.value = value
        self.unit = unit
    }

    /// Parses an ISO 8601 duration with one unit, such as `P1W`; nil for any other text, and for more than 366 units.
    public init?(iso8601 text: String) {
        guard text.first == "P", let last = text.last, let unit = Unit(rawValue: String(last)),
            let value = Int(text.dropFirst().dropLast()), value > 0
        else { return nil }
        self.init(value, unit)
    }

    /// The duration in ISO 8601 format, such as `P1M`.
    public var iso8601: String { "P\(value)\(unit.rawValue)" }

    /// Returns the end of a period of this duration that starts at `start`, in the Gregorian calendar and in UTC.
    ///
    /// A month that starts on January 31 ends on the last day of February.
    ///
    /// - Parameters:
    ///   - start: The start of the period.
    ///   - day: The day of the month on which a period of months or years ends, or the last day of the month if the month is shorter; nil
    ///     for the day of `start`.
    public func end(after start: Timestamp, day: Int? = nil) -> Timestamp {
        let calendar = Calendar.billing
        let component: Calendar.Component =
            switch unit {
            case .day, .week: .day
            case .month: .month
            case .year: .year
            }
        let count = unit == .week ? value * 7 : value
        guard let end = calendar.date(byAdding: component, value: count, to: start.date) else {
            return start.adding(days: Int64(count) * 366)
        }
        guard let day, unit == .month || unit == .year, let days = calendar.range(of: .day, in: .month, for: end) else {
            return Timestamp(end)
        }
        let missing = max(min(day, days.count), 1) - calendar.component(.day, from: end)
        return Timestamp(end).adding(days: Int64(missing))
    }
}

extension Timestamp {
    /// The day of the month, in the Gregorian calendar and in UTC.
    var dayOfMonth: Int { Calendar.billing.component(.day, from: date) }
}

extension Calendar {
    /// The Gregorian calendar in UTC.
    fileprivate static var billing: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }
}

extension BillingPeriod: Codable {
    /// Decodes the duration from a string in ISO 8601 format.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let period = BillingPeriod(iso8601: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "A duration must have one unit, such as P1W or P1M.")
        }
        self = period
    }

    /// Encodes the duration as a string in ISO 8601 format.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601)
    }
}
