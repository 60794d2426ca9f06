package import PurchaseModel

extension Timestamp {
    /// Creates a timestamp from a date in the format of receipts, such as `2025-01-31T12:34:56Z`; nil for other formats.
    ///
    /// The seconds may have a fraction of up to nine digits, of which the digits after the third are ignored. Instead of `Z`, the date may
    /// have an offset from UTC, with or without a colon. Xcode wrote offsets without a colon before 2021.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        self.init(rfc3339: 0..<bytes.count, bytes.span)
    }

    /// Creates a timestamp from the date at a range of the bytes; nil when the bytes have another format than dates in receipts.
    init?(rfc3339 text: Range<Int>, _ bytes: Span<UInt8>) {
        var reader = DateReader(text)
        guard let year = reader.number(4, bytes), reader.skip("-", bytes), let month = reader.number(2, bytes), reader.skip("-", bytes),
            let day = reader.number(2, bytes), reader.skip("T", bytes), let hour = reader.number(2, bytes), reader.skip(":", bytes),
            let minute = reader.number(2, bytes), reader.skip(":", bytes), let second = reader.number(2, bytes),
            month >= 1, month <= 12, day >= 1, day <= Self.days(in: month, of: year), hour < 24, minute < 60, second < 60
        else { return nil }

        var fraction: Int64 = 0
        if reader.skip(".", bytes) {
            guard let milliseconds = reader.fraction(bytes) else { return nil }
            fraction = milliseconds
        }

        var offset: Int64 = 0
        if !reader.skip("Z", bytes) {
            let sign: Int64 = reader.skip("+", bytes) ? 1 : -1
            guard sign == 1 || reader.skip("-", bytes), let hours = reader.number(2, bytes) else { return nil }
            _ = reader.skip(":", bytes)
            guard let minutes = reader.number(2, bytes), hours < 24, minutes < 60 else { return nil }
            offset = sign * (hours * 3600 + minutes * 60)
        }
        guard reader.isAtEnd else { return nil }

        let days = Self.daysSince1970(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        self.init(milliseconds: seconds * 1000 + fraction)
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Returns the number of days from 1970-01-01 to a date of the Gregorian calendar.
    ///
    /// The computation counts years from March, so that a leap day is the last day of its year.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        // The computation uses the year 400 years later, so that no dividend is negative, and subtracts the 146,097 days of 400 years.
        let shifted = (month <= 2 ? year - 1 : year) + 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468 - 146_097
    }
}

/// Reads the fields of a date from left to right.
private struct DateReader {
    private var position: Int
    private let end: Int

    init(_ text: Range<Int>) {
        position = text.lowerBound
        end = text.upperBound
    }

    var isAtEnd: Bool { position == end }

    /// Consumes exactly `count` decimal digits and returns their number; nil when there are fewer digits.
    @inline(__always)
    mutating func number(_ count: Int, _ bytes: Span<UInt8>) -> Int64? {
        guard end - position >= count else { return nil }
        var number: Int64 = 0
        for place in position..<position + count {
            let digit = bytes[place] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            number = number * 10 + Int64(digit)
        }
        position += count
        return number
    }

    /// Consumes the one to nine digits of a fraction of a second, and returns the milliseconds; nil for no digits or more than nine.
    mutating func fraction(_ bytes: Span<UInt8>) -> Int64? {
        var milliseconds: Int64 = 0
        var unit: Int64 = 100
        for count in 0...9 {
            guard let digit = number(1, bytes) else { return count > 0 ? milliseconds : nil }
            milliseconds += digit * unit
            unit /= 10
        }
        return nil
    }

    /// Consumes the next character if it equals `character`, and returns whether a character was consumed.
    @inline(__always)
    mutating func skip(_ character: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
        guard position < end, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}
