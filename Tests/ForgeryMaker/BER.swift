import SwiftASN1

/// Writes values byte by byte, in the ways that BER allows and in some that it does not.
enum BER {
    /// A value of definite length, as DER has it.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = octets(of: content.count)
        return content.count < 0x80 ? [tag, UInt8(content.count)] + content : [tag, 0x80 | UInt8(length.count)] + length + content
    }

    /// A value whose length is not stated; two zero bytes end it.
    static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x80] + content + [0, 0]
    }

    /// A value whose length has four bytes, however short it is.
    static func padded(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = octets(of: content.count)
        return [tag, 0x84] + [UInt8](repeating: 0, count: 4 - length.count) + length + content
    }

    /// An OBJECT IDENTIFIER with NULL for parameters.
    static func algorithm(_ identifier: ASN1ObjectIdentifier) throws -> [UInt8] {
        element(0x30, try encoded(identifier) + [0x05, 0x00])
    }

    /// The encoding of a value.
    static func encoded(_ value: some DERSerializable) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(value)
        return serializer.serializedBytes
    }

    private static func octets(of count: Int) -> [UInt8] {
        Array(stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }.drop { $0 == 0 })
    }
}
