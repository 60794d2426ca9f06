import Foundation
import FoundationExtras
import PurchaseProof

/// A receipt or JWS of a command's input, decoded from encodings such as base64.
struct SignedInput: Sendable {
    /// The data and its detected kind; the data is not verified.
    enum Content: Hashable, Sendable {
        /// An app receipt: a CMS container.
        case receipt([UInt8])
        /// The transaction receipt of iOS 6: a property list.
        case transactionReceipt([UInt8])
        /// A JWS in the compact serialization.
        case compact(String)
    }

    let content: Content
    /// The encodings that were removed, outermost first, such as `JSON member receipt-data` and `base64`.
    let encodings: [String]

    /// The maximum number of nested encodings; a PEM text in a JSON member has two.
    private static let maximumLayers = 4

    /// The names of JSON members that may contain signed data, in the order of the search.
    private static let members = [
        "receipt-data", "signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo", "latest_receipt",
    ]

    /// Detects the encodings of the bytes and decodes them: base64, hexadecimal, PEM, or a member of a JSON object.
    ///
    /// - Throws: ``Refusal`` at `input` if the bytes are too large, or contain no signed data in a known encoding.
    init(_ bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= InputSource.maximumSize else {
            throw Refusal(.tooLarge(limit: InputSource.maximumSize), at: "input", "The input exceeds the limit. Give a smaller file.")
        }
        var layer = bytes
        var encodings: [String] = []
        while encodings.count <= Self.maximumLayers {
            switch try Self.decodeLayer(layer) {
            case .content(let content):
                self.content = content
                self.encodings = encodings
                return
            case .encoded(let inner, let encoding):
                layer = inner
                encodings.append(encoding)
            }
        }
        throw Refusal(.malformed, at: "input", "The input has too many nested encodings. Decode the input once and try again.")
    }

    /// The input's JWS in the compact serialization.
    ///
    /// - Throws: ``Refusal`` if the input is a receipt.
    var compact: String {
        get throws(Refusal) {
            switch content {
            case .compact(let compact): return compact
            case .transactionReceipt(let bytes) where JSONReader.read(bytes) != nil:
                throw Refusal(
                    .malformed, at: "input",
                    "The input is JSON without signed data. Give a JWS, or JSON with one of the members \(Self.members.joined(separator: ", "))."
                )
            case .receipt, .transactionReceipt: throw Self.otherCommand("receipt", "receipt")
            }
        }
    }

    /// Returns the refusal of data for which another command exists.
    static func otherCommand(_ thing: String, _ command: String) -> Refusal {
        Refusal(.malformed, at: "input", "The input looks like a \(thing). Use `tillroll \(command)`.")
    }

    private enum Layer {
        case content(Content)
        case encoded([UInt8], String)
    }

    private static func decodeLayer(_ bytes: [UInt8]) throws(Refusal) -> Layer {
        let text = trimmed(bytes)
        guard let first = text.first else { throw Refusal(.malformed, at: "input", "The input is empty.") }
        // Detect a CMS container if the second byte, a length byte, is at least 0x80, because ASCII text has no such byte.
        if bytes.count > 1, bytes[0] == 0x30, bytes[1] >= 0x80 { return .content(.receipt(bytes)) }
        if first == UInt8(ascii: "{") { return object(Array(text)) }
        if text.starts(with: "-----BEGIN".utf8) {
            guard let inner = PEMText.decode(text) else {
                throw Refusal(.malformed, at: "input", "The input begins with a PEM header but is not a valid PEM block.")
            }
            return .encoded(inner, "PEM")
        }
        if let inner = HexText.decode(text) { return .encoded(inner, "hexadecimal") }
        if text.contains(UInt8(ascii: ".")) {
            if text.allSatisfy(isCompact) {
                let joined = text.contains(where: isBlank) ? text.filter { !isBlank($0) }[...] : text
                return .content(.compact(String(decoding: joined, as: UTF8.self)))
            }
        } else if let inner = Base64Text.decode(text) {
            return .encoded(inner, "base64")
        }
        // Pass binary data to the receipt parser, which reports the offset of the error.
        guard bytes.allSatisfy(isText) || text.allSatisfy(isText) else { return .content(.receipt(bytes)) }
        throw Refusal(.malformed, at: "input", "The input is no receipt and no JWS, and contains none in base64, hexadecimal, PEM or JSON.")
    }

    /// Decodes data that begins with a brace: a JSON object with signed data in a member, or a property list in the old ASCII format.
    private static func object(_ bytes: [UInt8]) -> Layer {
        guard let json = JSONReader.read(bytes) else { return .content(.transactionReceipt(bytes)) }
        for member in members {
            if let text = json[member]?.text { return .encoded(Array(text.utf8), "JSON member \(member)") }
        }
        return .content(.transactionReceipt(bytes))
    }

    /// Returns the bytes without a byte order mark, surrounding blanks and quotation marks, which copying a text may add.
    private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        func isAround(_ byte: UInt8) -> Bool {
            isBlank(byte) || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
        }
        text = text.drop(while: isAround)
        while let last = text.last, isAround(last) { text.removeLast() }
        return text
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private static func isText(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) || isBlank(byte)
    }

    /// Returns whether a byte can be part of a JWS, including a malformed JWS, whose error the verifier reports.
    private static func isCompact(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: isBlank(byte)
        }
    }
}

/// The PEM encoding: bytes between `-----BEGIN …-----` and `-----END …-----` (RFC 7468).
enum PEMText {
    /// Returns the bytes of the first PEM block; nil if there is no block, or if its content is not base64.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var body: [UInt8] = []
        var isInside = false
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if line.starts(with: "-----END".utf8) { return isInside ? Base64Text.decode(body[...]) : nil }
            if isInside { body.append(contentsOf: line) }
            if line.starts(with: "-----BEGIN".utf8) { isInside = true }
        }
        return nil
    }

    /// Returns the bytes as a PEM block with the given label, in lines of 64 characters.
    static func encode(_ bytes: [UInt8], label: String) -> String {
        let text = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n"
    }
}

/// Decodes base64 and base64url leniently: with line breaks, with or without padding (RFC 4648, sections 4 and 5).
///
/// Lenient decoding applies only to the base64 around a receipt or JWS, and not to the parts of a JWS, so it does not change the result of
/// a verification.
enum Base64Text {
    private static let blank: UInt8 = 64
    private static let padding: UInt8 = 65

    /// The value of each character (0 to 63), `blank`, `padding`, or 255 for a byte that is not part of base64.
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

    /// Returns the decoded bytes; nil if the text is not base64.
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
            // Decode four characters of the alphabet to three bytes.
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
        // Refuse truncated base64: one leftover character encodes only six bits, too few for a byte.
        return bits < 6 && !bytes.isEmpty ? bytes : nil
    }
}

/// Parses hexadecimal digits.
enum HexText {
    /// Returns the bytes of a text of hexadecimal digits with optional blanks, line breaks, colons and leading `0x`; nil for other text.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var text = text
        if text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8) { text = text.dropFirst(2) }
        // Check 16 characters first, which refuses most other text without an allocation.
        guard text.prefix(16).allSatisfy({ Hexadecimal.value(of: $0) != nil || isSeparator($0) }) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text {
            if isSeparator(character) { continue }
            guard let digit = Hexadecimal.value(of: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil && !bytes.isEmpty ? bytes : nil
    }

    private static func isSeparator(_ character: UInt8) -> Bool {
        character == UInt8(ascii: ":") || character == 0x20 || (0x09...0x0D).contains(character)
    }
}
