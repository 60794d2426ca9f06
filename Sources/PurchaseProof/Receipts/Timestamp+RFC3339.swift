package import PurchaseModel

extension Timestamp {
    /// Reads a date as receipts write it: `2025-01-31T12:34:56Z`, also with a fraction of a second, and with an offset that may
    /// lack its colon (Xcode before 2021).
    ///
    /// Nil for anything else; digits beyond milliseconds are cut off.
    package init?(rfc3339 text: String) {
        var rest = Array(text.utf8)[...]
        guard let year = rest.digits(4), rest.skip("-"), let month = rest.digits(2), rest.skip("-"), let day = rest.digits(2),
            rest.skip("T"), let hour = rest.digits(2), rest.skip(":"), let minute = rest.digits(2), rest.skip(":"),
            let second = rest.digits(2), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }

        var fraction: Int64 = 0
        if rest.skip(".") {
            let digits = rest.prefix(while: \.isDigit)
            guard (1...9).contains(digits.count) else { return nil }
            for position in 0..<3 {
                fraction = fraction * 10 + (digits.dropFirst(position).first.map { Int64($0 - UInt8(ascii: "0")) } ?? 0)
            }
            rest = rest.dropFirst(digits.count)
        }

        var offset: Int64 = 0
        if !rest.skip("Z") {
            let sign: Int64 = rest.skip("+") ? 1 : -1
            guard sign == 1 || rest.skip("-"), let hours = rest.digits(2) else { return nil }
            _ = rest.skip(":")
            guard let minutes = rest.digits(2), hours < 24, minutes < 60 else { return nil }
            offset = sign * (hours * 3600 + minutes * 60)
        }
        guard rest.isEmpty else { return nil }

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

    /// The days since 1970 in the Gregorian calendar, counted from March so that the leap day comes last.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        // 400 years later, so that no quotient is of a negative number; 400 years have 146,097 days.
        let shifted = (month <= 2 ? year - 1 : year) + 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468 - 146_097
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension ArraySlice<UInt8> {
    /// Takes exactly `count` decimal digits; nil, with nothing taken, when there are fewer.
    fileprivate mutating func digits(_ count: Int) -> Int64? {
        let digits = prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        self = dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Takes one character if it comes next.
    fileprivate mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard first == UInt8(ascii: character) else { return false }
        self = dropFirst()
        return true
    }
}
