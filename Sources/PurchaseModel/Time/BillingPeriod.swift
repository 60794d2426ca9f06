import Foundation

/// The duration of one paid period of a subscription: an ISO 8601 duration with one unit, such as `P1M`.
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

    /// The number of units.
    public let value: Int
    /// The unit.
    public let unit: Unit

    /// Creates a period; nil unless `value` is from 1 to 366.
    public init?(_ value: Int, _ unit: Unit) {
        guard (1...366).contains(value) else { return nil }
        self.value = value
        self.unit = unit
    }

    /// Parses a duration with one unit, such as `P1W`; nil for any other text.
    public init?(iso8601 text: String) {
        guard text.first == "P", let last = text.last, let unit = Unit(rawValue: String(last)),
            let value = Int(text.dropFirst().dropLast()), value > 0
        else { return nil }
        self.init(value, unit)
    }

    /// The duration as ISO 8601.
    public var iso8601: String { "P\(value)\(unit.rawValue)" }

    /// The end of a period that starts at `start`, in the UTC calendar: a month from January 31 ends on the last day of February.
    public func end(after start: Timestamp) -> Timestamp {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
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
        return Timestamp(end)
    }
}

extension BillingPeriod: Codable {
    /// Decodes an ISO 8601 duration.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let period = BillingPeriod(iso8601: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "A period must have one unit, such as P1W, P1M or P1Y.")
        }
        self = period
    }

    /// Encodes the ISO 8601 duration.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601)
    }
}
