import FoundationExtras
import Testing

@Suite struct HexadecimalTests {
    @Test(
        arguments: [
            ([], false, nil, ""),
            ([0x00, 0x0F, 0xA0, 0xFF], false, nil, "000fa0ff"),
            ([0x0F, 0xA0], true, ":", "0F:A0"),
        ] as [([UInt8], Bool, Unicode.Scalar?, String)])
    func `each byte has two digits`(_ bytes: [UInt8], _ uppercase: Bool, _ separator: Unicode.Scalar?, _ text: String) {
        #expect(Hexadecimal.encode(bytes, uppercase: uppercase, separator: separator) == text)
    }

    @Test(
        arguments: [
            ("", []), ("000fA0Ff", [0x00, 0x0F, 0xA0, 0xFF]), ("0", nil), ("abc", nil), ("+1", nil), ("0g", nil), (" 1", nil), ("0:", nil),
            ("é", nil), ("１２", nil),
        ] as [(String, [UInt8]?)])
    func `a text of other characters than pairs of digits is no bytes`(_ text: String, _ bytes: [UInt8]?) {
        #expect(Hexadecimal.decode(text) == bytes)
    }

    @Test(arguments: [("", true), ("09afAF0", true), ("-1", false), ("１", false), ("g", false), ("0 ", false)])
    func `a text of hexadecimal digits is recognized`(_ text: String, _ isHexadecimal: Bool) {
        #expect(Hexadecimal.isHexadecimal(text) == isHexadecimal)
    }

    @Test func `only the digits of both cases have a value`() {
        let values = (UInt8.min...UInt8.max).filter { Hexadecimal.value(of: $0) != nil }
        #expect(values == Array("0123456789ABCDEFabcdef".utf8))
        #expect(Array("09afAF".utf8).map { Hexadecimal.value(of: $0) } == [0, 9, 10, 15, 10, 15])
    }
}
