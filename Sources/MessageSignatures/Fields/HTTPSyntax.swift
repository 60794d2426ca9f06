/// Character classes of HTTP (RFC 9110).
enum HTTPSyntax {
    /// Returns whether a byte can be part of a token, such as a method or the name of a field (RFC 9110, section 5.6.2).
    static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Returns whether a text is a token.
    static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isTokenCharacter) }

    /// Returns whether a text consists of visible ASCII characters, without spaces.
    static func isVisible(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

    /// Returns whether a text can be part of a signature base: printable ASCII and tabs, without line breaks (RFC 9421, section 2.1).
    static func isFieldValue(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 } }
}
