/// Base64 as users paste it: either alphabet, with line breaks, with or without padding (RFC 4648, sections 4 and 5).
///
/// The signature does not cover the base64 encoding, so lenient decoding does not change the result.
enum Base64Text {
    private static let blank: UInt8 = 64
    private static let padding: UInt8 = 65

    /// The value or the class of each byte; 255 for bytes outside base64.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        for character in " \t\r\n".utf8 { values[Int(character)] = blank }
        values[Int(UInt8(ascii: "="))] = padding
        return values
    }()

    /// The decoded bytes; nil if the text is not base64.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let values = Self.values.span
        let text = text.span
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        var ended = false
        var index = 0
        while index < text.count {
            // Four characters of the alphabet encode three bytes.
            if bits == 0, !ended, index + 4 <= text.count {
                let (one, two) = (values[Int(text[index])], values[Int(text[index + 1])])
                let (three, four) = (values[Int(text[index + 2])], values[Int(text[index + 3])])
                if one | two | three | four < 64 {
                    bytes.append(one << 2 | two >> 4)
                    bytes.append(two << 4 | three >> 2)
                    bytes.append(three << 6 | four)
                    index += 4
                    continue
                }
            }
            let value = values[Int(text[index])]
            index += 1
            if value < 64 {
                guard !ended else { return nil }
                buffer = (buffer << 6) | UInt32(value)
                bits += 6
                if bits >= 8 {
                    bits -= 8
                    bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
                }
            } else if value == padding {
                ended = true
            } else if value != blank {
                return nil
            }
        }
        // A single remaining character holds six bits, which is no whole byte: the text is truncated.
        return bits < 6 && !bytes.isEmpty ? bytes : nil
    }
}
