/// Encodes bytes as hexadecimal digits, and decodes digits.
package enum Hexadecimal {
    private static let lowercaseDigits = Array("0123456789abcdef".utf8)
    private static let uppercaseDigits = Array("0123456789ABCDEF".utf8)

    /// Encodes bytes as hexadecimal digits, two digits for each byte.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to encode, such as a digest.
    ///   - uppercase: Whether the digits above 9 are upper-case letters.
    ///   - separator: The character between two bytes; nil for no separator.
    package static func encode(
        _ bytes: some Sequence<UInt8>, uppercase: Bool = false, separator: Unicode.Scalar? = nil
    ) -> String {
        let digits = uppercase ? uppercaseDigits : lowercaseDigits
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 3)
        for byte in bytes {
            if let separator, !text.isEmpty { text.append(contentsOf: Character(separator).utf8) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes two digits for each byte; returns nil for an odd number of digits, and for a text with other characters.
    ///
    /// - Parameter text: The digits, in lower or upper case.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.compactMap { value(of: $0) }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Returns whether a text consists of ASCII hexadecimal digits; true for an empty text.
    package static func isHexadecimal(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { value(of: $0) != nil } }

    /// Returns the value of an ASCII hexadecimal digit, or nil for any other character.
    package static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
