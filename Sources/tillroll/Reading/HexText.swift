import PurchaseModel

/// Parses hexadecimal digits.
enum HexText {
    /// The bytes of a text of digits, which may contain blanks, line breaks, colons and a leading `0x`; nil for any other text.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var text = text
        if text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8) { text = text.dropFirst(2) }
        // Most text that is not hexadecimal differs within the first 16 characters.
        guard text.prefix(16).allSatisfy({ Hexadecimal.value(of: $0) != nil || isSeparator($0) }) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text {
            if isSeparator(character) { continue }
            guard let digit = Hexadecimal.value(of: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil && !bytes.isEmpty ? bytes : nil
    }

    private static func isSeparator(_ character: UInt8) -> Bool {
        character == UInt8(ascii: ":") || character == 0x20 || (0x09...0x0D).contains(character)
    }
}
