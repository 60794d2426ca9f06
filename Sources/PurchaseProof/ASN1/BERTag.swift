/// The identifier octets of the types that receipts and certificates are made of.
enum BERTag {
    static let boolean: UInt8 = 0x01
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let null: UInt8 = 0x05
    static let objectIdentifier: UInt8 = 0x06
    static let utf8String: UInt8 = 0x0C
    static let ia5String: UInt8 = 0x16
    static let utcTime: UInt8 = 0x17
    static let generalizedTime: UInt8 = 0x18
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    /// An OCTET STRING in chunks.
    static let chunkedOctetString: UInt8 = 0x24

    /// `[number]`, as optional and explicit parts carry it.
    static func context(_ number: UInt8) -> UInt8 { 0xA0 | number }
}
