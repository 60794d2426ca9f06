/// Bytes written as hexadecimal digits.
enum HexText {
    /// The bytes of a text of digits, with blanks, line breaks, colons and a leading `0x`; nil for anything else.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var text = text
        if text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8) { text = text.dropFirst(2) }
        // Most of what is not hexadecimal shows it soon.
        guard text.prefix(16).allSatisfy({ value(of: $0) != nil || isSeparator($0) }) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text {
            if isSeparator(character) { continue }
            guard let digit = value(of: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil && !bytes.isEmpty ? bytes : nil
    }

    /// The bytes as lower-case digits.
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// What a digit is worth; nil for any other character.
    static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func isSeparator(_ character: UInt8) -> Bool {
        character == UInt8(ascii: ":") || character == 0x20 || (0x09...0x0D).contains(character)
    }
}
