import PurchaseModel

/// The date format of HTTP headers (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; returns nil for any other text.
    ///
    /// The two obsolete formats, which servers must not send, are not parsed. The name of the weekday is not compared with the date.
    static func parse(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT" else { return nil }
        let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard let month = months.firstIndex(of: String(parts[2])), time.count == 3,
            let day = number(parts[1], 2, 1...31), let year = number(parts[3], 4, 1970...9999),
            let hour = number(time[0], 2, 0...23), let minute = number(time[1], 2, 0...59), let second = number(time[2], 2, 0...60)
        else { return nil }
        guard day <= length(of: month, in: year) else { return nil }
        let seconds = ((days(to: year) + days(to: month, in: year) + day - 1) * 24 + hour) * 3600 + minute * 60 + second
        return Timestamp(milliseconds: seconds * 1000)
    }

    private static func number(_ text: Substring, _ digits: Int, _ range: ClosedRange<Int64>) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(text), range.contains(number)
        else { return nil }
        return number
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func length(of month: Int, in year: Int64) -> Int64 {
        switch month {
        case 1: isLeap(year) ? 29 : 28
        case 3, 5, 8, 10: 30
        default: 31
        }
    }

    /// Returns the number of days from 1970 to the start of a year.
    private static func days(to year: Int64) -> Int64 {
        let before = year - 1
        return (year - 1970) * 365 + (before / 4 - before / 100 + before / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400)
    }

    /// Returns the number of days from the start of a year to the start of a month.
    private static func days(to month: Int, in year: Int64) -> Int64 {
        (0..<month).reduce(0) { $0 + length(of: $1, in: year) }
    }
}
