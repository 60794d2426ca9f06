/// Base64 in the alphabet for addresses, without padding (RFC 7515, section 2).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each ASCII character; 255 for those outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Writes bytes as text.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            buffer = (buffer << 8) | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int((buffer >> bits) & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int((buffer << (6 - bits)) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads text; nil when it has padding, another character, or stray bits at its end.
    ///
    /// So every value has one spelling only.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for character in text {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            buffer = (buffer << 6) | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        guard bits < 6, buffer & ((1 << bits) - 1) == 0 else { return nil }
        return bytes
    }
}
