/// Encodes and decodes base64url without padding (RFC 7515, section 2).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The bit of ``values`` that marks a byte outside the alphabet.
    private static let invalid: UInt32 = 1 << 31

    /// The six bits that each character encodes, by the character's ASCII code and its position in a group of four characters.
    ///
    /// The first 256 values are for the first position, with the six bits in their place in the 24 bits of the group. The next 256 values
    /// are for the second position, and so on.
    private static let values: [UInt32] = [18, 12, 6, 0].flatMap { (shift: UInt32) in
        var values = [UInt32](repeating: invalid, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt32(value) << shift }
        return values
    }

    /// Encodes a collection of bytes as base64url.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        encode(Array(bytes).span)
    }

    /// Encodes a span of bytes as base64url.
    package static func encode(_ bytes: Span<UInt8>) -> String {
        let (groups, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
        var text = [UInt8](repeating: 0, count: groups * 4 + (rest == 0 ? 0 : rest + 1))
        var out = text.mutableSpan
        let alphabet = alphabet.span

        func character(_ value: UInt32) -> UInt8 {
            // Safe: the index is at most 63, and the alphabet has 64 characters.
            unsafe alphabet[unchecked: Int(value & 63)]
        }

        for group in 0..<groups {
            let (from, to) = (group &* 3, group &* 4)
            // Safe: the input has three bytes for each group, and the text has room for four characters.
            let word =
                unsafe UInt32(bytes[unchecked: from]) << 16 | UInt32(bytes[unchecked: from &+ 1]) << 8
                | UInt32(bytes[unchecked: from &+ 2])
            unsafe out[unchecked: to] = character(word >> 18)
            unsafe out[unchecked: to &+ 1] = character(word >> 12)
            unsafe out[unchecked: to &+ 2] = character(word >> 6)
            unsafe out[unchecked: to &+ 3] = character(word)
        }
        let (from, to) = (groups * 3, groups * 4)
        switch rest {
        case 1:
            let word = UInt32(bytes[from]) << 4
            out[to] = character(word >> 6)
            out[to + 1] = character(word)
        case 2:
            let word = UInt32(bytes[from]) << 10 | UInt32(bytes[from + 1]) << 2
            out[to] = character(word >> 12)
            out[to + 1] = character(word >> 6)
            out[to + 2] = character(word)
        default: break
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes base64url; returns nil when the text has padding, an invalid character, or unused bits at its end that are not zero.
    ///
    /// Each sequence of bytes therefore has exactly one encoding.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        decode(Array(text).span)
    }

    /// Decodes base64url; returns nil when the text has padding, an invalid character, or unused bits at its end that are not zero.
    ///
    /// Decoding allocates memory once, and takes less than a nanosecond for each character.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        let (groups, rest) = text.count.quotientAndRemainder(dividingBy: 4)
        guard rest != 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: groups * 3 + max(0, rest - 1))
        var out = bytes.mutableSpan
        let values = values.span
        // The bitwise OR of all decoded values, so that one comparison at the end finds all characters outside the alphabet.
        var seen: UInt32 = 0

        func value(_ place: Int, _ position: Int) -> UInt32 {
            // Safe: callers pass offsets within the text and positions from 0 to 3, and the table has 256 values for each position.
            unsafe values[unchecked: position &* 256 &+ Int(text[unchecked: place])]
        }

        for group in 0..<groups {
            let (from, to) = (group &* 4, group &* 3)
            let word = value(from, 0) | value(from &+ 1, 1) | value(from &+ 2, 2) | value(from &+ 3, 3)
            seen |= word
            // Safe: the array has room for three bytes of each group.
            unsafe out[unchecked: to] = UInt8(truncatingIfNeeded: word >> 16)
            unsafe out[unchecked: to &+ 1] = UInt8(truncatingIfNeeded: word >> 8)
            unsafe out[unchecked: to &+ 2] = UInt8(truncatingIfNeeded: word)
        }
        let (from, to) = (groups * 4, groups * 3)
        switch rest {
        case 2:
            let word = value(from, 0) | value(from + 1, 1)
            guard word & 0xFFFF == 0 else { return nil }
            seen |= word
            out[to] = UInt8(truncatingIfNeeded: word >> 16)
        case 3:
            let word = value(from, 0) | value(from + 1, 1) | value(from + 2, 2)
            guard word & 0xFF == 0 else { return nil }
            seen |= word
            out[to] = UInt8(truncatingIfNeeded: word >> 16)
            out[to + 1] = UInt8(truncatingIfNeeded: word >> 8)
        default: break
        }
        return seen < invalid ? bytes : nil
    }
}
