/// Writes valid and invalid ASN.1 values byte by byte.
public enum DER {
    /// Returns a value with the shortest encoding of the length.
    public static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    /// Returns a value of indefinite length, as BER allows.
    public static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x80] + content + [0, 0]
    }

    /// Returns an INTEGER.
    public static func integer(_ number: Int) -> [UInt8] {
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        while bytes.count > 1, bytes[0] == 0, bytes[1] < 0x80 { bytes.removeFirst() }
        return value(0x02, bytes)
    }

    /// Returns an attribute of a receipt.
    public static func attribute(_ type: Int, _ octets: [UInt8]) -> [UInt8] {
        value(0x30, integer(type) + integer(1) + value(0x04, octets))
    }

    /// Returns the consecutive values in `bytes`, each with tag and length, up to the first invalid value.
    public static func values(in bytes: [UInt8]) -> [[UInt8]] {
        var values: [[UInt8]] = []
        var start = 0
        while let end = end(ofValueAt: start, in: bytes) {
            values.append(Array(bytes[start..<end]))
            start = end
        }
        return values
    }

    /// Returns the content of a value.
    public static func content(of value: [UInt8]) -> [UInt8] {
        guard value.count > 1 else { return [] }
        return Array(value.dropFirst(2 + (value[1] < 0x80 ? 0 : Int(value[1] & 0x7F))))
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 128 { return [UInt8(count)] }
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }.drop { $0 == 0 }
        return [0x80 | UInt8(bytes.count)] + bytes
    }

    private static func end(ofValueAt start: Int, in bytes: [UInt8]) -> Int? {
        guard start + 2 <= bytes.count else { return nil }
        let first = Int(bytes[start + 1])
        if first < 0x80 { return start + 2 + first <= bytes.count ? start + 2 + first : nil }
        let width = first & 0x7F
        guard (1...4).contains(width), start + 2 + width <= bytes.count else { return nil }
        let count = bytes[(start + 2)..<(start + 2 + width)].reduce(0) { $0 << 8 | Int($1) }
        let end = start + 2 + width + count
        return end <= bytes.count ? end : nil
    }
}
