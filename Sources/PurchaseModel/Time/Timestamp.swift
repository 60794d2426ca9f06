public import Foundation

/// A point in time in whole milliseconds since 1970, as in signed data.
///
/// Arithmetic saturates: an extreme date in signed data cannot cause an overflow trap.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// Creates a point in time from milliseconds since 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Creates a point in time from a date; saturates for dates beyond the range of 64-bit milliseconds.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
        self.milliseconds = Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }

    /// The point in time as a Foundation date.
    public var date: Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// The point in time rounded to whole seconds, the precision of the App Store's purchase dates.
    public var wholeSeconds: Timestamp {
        Timestamp(milliseconds: milliseconds - milliseconds % 1000)
    }

    /// Adds a number of seconds, which can be negative; saturates on overflow.
    public func adding(seconds: Int64) -> Timestamp {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? Timestamp(milliseconds: seconds < 0 ? .min : .max) : adding(milliseconds: product)
    }

    /// Adds a number of milliseconds, which can be negative; saturates on overflow.
    public func adding(milliseconds other: Int64) -> Timestamp {
        let (sum, overflow) = milliseconds.addingReportingOverflow(other)
        return Timestamp(milliseconds: overflow ? (other < 0 ? .min : .max) : sum)
    }

    /// Adds a number of days, of 24 hours unless `secondsPerDay` differs; saturates on overflow.
    public func adding(days: Int64, of secondsPerDay: Int64 = 86_400) -> Timestamp {
        let (seconds, overflow) = days.multipliedReportingOverflow(by: secondsPerDay)
        return overflow ? Timestamp(milliseconds: days < 0 ? .min : .max) : adding(seconds: seconds)
    }

    /// Orders by time.
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.milliseconds < rhs.milliseconds
    }
}

extension Timestamp: Codable {
    /// Decodes milliseconds; discards fractions, which occur in Xcode's payloads.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let milliseconds = try? container.decode(Int64.self) {
            self.init(milliseconds: milliseconds)
            return
        }
        let fractional = try container.decode(Double.self).rounded(.down)
        guard let milliseconds = Int64(exactly: fractional) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "A date is outside the range of 64-bit milliseconds.")
        }
        self.init(milliseconds: milliseconds)
    }

    /// Encodes whole milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC, with whole seconds: `2025-01-31T12:34:56Z`.
    public var description: String {
        date.formatted(Date.ISO8601FormatStyle(timeZone: .gmt))
    }
}
