/// The three parts of a compact JWS, decoded and not judged: `header.payload.signature` (RFC 7515, section 7.1).
struct CompactForm {
    /// The longest compact form that is read, in bytes; a notification with both parts inside has about 20,000.
    static let maximumSize = 512 << 10
    /// The longest header that is read, in characters; with three certificates it has about 5,000.
    static let maximumHeader = 32 << 10

    /// The header, JSON.
    let header: [UInt8]
    /// Where the header's members are.
    let headerMembers: JSONScanner
    /// The payload, JSON.
    let payload: [UInt8]
    /// Where the payload's members are.
    let payloadMembers: JSONScanner
    /// The signature's bytes, whatever they are.
    let signature: [UInt8]

    private let text: [UInt8]
    private let signedCount: Int

    /// The JWS signing input: header and payload as they came, with the dot between them (RFC 7515, section 5.2, step 8).
    var signedText: ArraySlice<UInt8> { text[..<signedCount] }

    init(_ compact: String) throws(Refusal) {
        guard compact.utf8.count <= Self.maximumSize else { throw Refusal(.tooLarge(limit: Self.maximumSize), at: "size") }
        text = Array(compact.utf8)
        // Section 7.1: exactly two dots.
        guard let first = Self.dot(in: text, from: 0), let second = Self.dot(in: text, from: first + 1),
            Self.dot(in: text, from: second + 1) == nil
        else { throw Refusal(.malformed, at: "parts", "It has not three parts.") }
        guard first <= Self.maximumHeader else { throw Refusal(.tooLarge(limit: Self.maximumHeader), at: "header") }
        signedCount = second
        // Section 5.2, steps 2 to 4.
        header = try Self.decode(text, 0..<first, "header")
        do { headerMembers = try JSONScanner(header) } catch { throw error.refusal(in: "header") }
        // Steps 6 and 7.
        payload = try Self.decode(text, first + 1..<second, "payload")
        signature = try Self.decode(text, second + 1..<text.count, "signature")
        do { payloadMembers = try JSONScanner(payload) } catch { throw error.refusal(in: "payload") }
    }

    /// Reads base64url without line breaks, white space or padding (section 2).
    private static func decode(_ text: [UInt8], _ range: Range<Int>, _ part: String) throws(Refusal) -> [UInt8] {
        guard let bytes = Base64URL.decode(text.span.extracting(range)) else {
            throw Refusal(.malformed, at: part, offset: range.lowerBound, "It is not base64url without padding.")
        }
        return bytes
    }

    private static func dot(in text: [UInt8], from start: Int) -> Int? {
        text.first(UInt8(ascii: "."), in: start..<max(start, text.count))
    }
}
