public import Foundation

/// A point in time in whole milliseconds since 1970, like the dates in signed transactions.
///
/// Arithmetic saturates, so that an extreme date in signed data cannot cause an overflow trap.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// Creates a point in time from milliseconds since 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Creates a point in time from a date; a date outside the range of 64-bit milliseconds becomes the nearest value in the range.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
        self.milliseconds = Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }

    /// The point in time as a Foundation date.
    public var date: Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// The point in time without fractions of a second, which is the precision of the App Store's purchase dates.
    public var wholeSeconds: Timestamp {
        Timestamp(milliseconds: milliseconds - milliseconds % 1000)
    }

    /// Returns the point in time that is a number of seconds later, or earlier for a negative number; saturates on overflow.
    public func adding(seconds: Int64) -> Timestamp {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? Timestamp(milliseconds: seconds < 0 ? .min : .max) : adding(milliseconds: product)
    }

    /// Returns the point in time that is a number of milliseconds later, or earlier for a negative number; saturates on overflow.
    public func adding(milliseconds other: Int64) -> Timestamp {
        let (sum, overflow) = milliseconds.addingReportingOverflow(other)
        return Timestamp(milliseconds: overflow ? (other < 0 ? .min : .max) : sum)
    }

    /// Returns the point in time that is a number of days later, or earlier for a negative number; saturates on overflow.
    ///
    /// - Parameters:
    ///   - days: The number of days.
    ///   - secondsPerDay: The length of a day in seconds; 24 hours unless a store's time is accelerated.
    public func adding(days: Int64, of secondsPerDay: Int64 = 86_400) -> Timestamp {
        let (seconds, overflow) = days.multipliedReportingOverflow(by: secondsPerDay)
        return overflow ? Timestamp(milliseconds: days < 0 ? .min : .max) : adding(seconds: seconds)
    }

    /// Returns the number of milliseconds since another point in time, negative if the other one is later; saturates on overflow.
    public func milliseconds(since other: Timestamp) -> Int64 {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
        return overflow ? (milliseconds < 0 ? .min : .max) : difference
    }

    /// Returns whether a point in time is earlier than another point in time.
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.milliseconds < rhs.milliseconds
    }
}

extension Timestamp: Codable {
    /// Decodes a number of milliseconds since 1970; discards fractions of milliseconds, which occur in Xcode's payloads.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let milliseconds = try? container.decode(Int64.self) {
            self.init(milliseconds: milliseconds)
            return
        }
        let fractional = try container.decode(Double.self).rounded(.down)
        guard let milliseconds = Int64(exactly: fractional) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The date is out of range of 64-bit milliseconds.")
        }
        self.init(milliseconds: milliseconds)
    }

    /// Encodes the number of milliseconds since 1970.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Timestamp: CustomStringConvertible {
    private static let style = Date.ISO8601FormatStyle(timeZone: .gmt)

    /// The point in time in RFC 3339 format, in UTC and with whole seconds: `2025-01-31T12:34:56Z`.
    public var description: String {
        date.formatted(Self.style)
    }
}
