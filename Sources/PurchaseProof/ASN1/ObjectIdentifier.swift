/// Object identifiers of receipts, as the content octets that stand for them.
enum ObjectIdentifier {
    /// 1.2.840.113549.1.7.1
    static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    /// 1.2.840.113549.1.7.2
    static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    /// 1.3.14.3.2.26
    static let sha1: [UInt8] = [0x2B, 0x0E, 0x03, 0x02, 0x1A]
    /// 2.16.840.1.101.3.4.2.1
    static let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
    /// 1.2.840.113549.1.1.1
    static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    /// 1.2.840.113549.1.1.5
    static let sha1WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05]
    /// 1.2.840.113549.1.1.11
    static let sha256WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]
}

extension Span<UInt8> {
    /// Whether those bytes are there.
    func holds(_ other: Span<UInt8>, at range: Range<Int>) -> Bool {
        guard range.count == other.count else { return false }
        for place in 0..<other.count where self[range.lowerBound + place] != other[place] { return false }
        return true
    }
}
