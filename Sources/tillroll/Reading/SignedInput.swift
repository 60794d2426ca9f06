import PurchaseModel
import PurchaseProof

/// Signed data, decoded from its outer encodings.
struct SignedInput: Sendable {
    /// The detected kind of the data, which a verifier has yet to confirm.
    enum Content: Hashable, Sendable {
        /// An app receipt: a CMS container.
        case receipt([UInt8])
        /// The property list of an iOS 6 transaction.
        case transactionReceipt([UInt8])
        /// A JWS in the compact serialization.
        case compact(String)
    }

    let content: Content
    /// The outer encodings, from the outermost inward, such as `JSON member receipt-data` and `base64`.
    let wrappings: [String]

    /// The maximum depth of encodings: a PEM text in a JSON member has two, and base64 over hexadecimal three.
    private static let maximumLayers = 4

    /// The names of JSON members that hold signed data.
    private static let members = [
        "receipt-data", "signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo", "latest_receipt",
    ]

    /// Detects the encoding of the bytes: raw, base64, hexadecimal, PEM, or a member of a JSON object.
    ///
    /// - Throws: ``Refusal`` at `input` if the bytes are in none of these encodings. Never traps, and takes linear time.
    init(_ bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= InputSource.maximumSize else {
            throw Refusal(.tooLarge(limit: InputSource.maximumSize), at: "input", "No more bytes than that are read.")
        }
        var layer = bytes
        var wrappings: [String] = []
        while wrappings.count <= Self.maximumLayers {
            switch try Self.look(at: layer) {
            case .content(let content):
                self.content = content
                self.wrappings = wrappings
                return
            case .wrapped(let inner, let wrapping):
                layer = inner
                wrappings.append(wrapping)
            }
        }
        throw Refusal(.malformed, at: "input", "It is wrapped too often: unwrap it once and try again.")
    }

    /// The JWS.
    ///
    /// - Throws: ``Refusal`` if the data is a receipt.
    var compact: String {
        get throws(Refusal) {
            guard case .compact(let compact) = content else { throw Self.otherCommand("receipt", "receipt") }
            return compact
        }
    }

    /// The refusal of data that another command reads.
    static func otherCommand(_ thing: String, _ command: String) -> Refusal {
        Refusal(.malformed, at: "input", "It looks like a \(thing): `tillroll \(command)` reads those.")
    }

    private enum Layer {
        case content(Content)
        case wrapped([UInt8], String)
    }

    private static func look(at bytes: [UInt8]) throws(Refusal) -> Layer {
        let text = trimmed(bytes)
        guard let first = text.first else { throw Refusal(.malformed, at: "input", "It is empty.") }
        // The second byte of a text is never in the range of a CMS container's length byte.
        if bytes.count > 1, bytes[0] == 0x30, bytes[1] >= 0x80 { return .content(.receipt(bytes)) }
        if first == UInt8(ascii: "{") { return object(Array(text)) }
        if text.starts(with: "-----BEGIN".utf8) {
            guard let inner = PEMText.decode(text) else {
                throw Refusal(.malformed, at: "input", "It begins as PEM and does not go on so.")
            }
            return .wrapped(inner, "PEM")
        }
        if let inner = HexText.decode(text) { return .wrapped(inner, "hexadecimal") }
        if text.contains(UInt8(ascii: ".")) {
            if text.allSatisfy(isCompact) {
                let joined = text.contains(where: isBlank) ? text.filter { !isBlank($0) }[...] : text
                return .content(.compact(String(decoding: joined, as: UTF8.self)))
            }
        } else if let inner = Base64Text.decode(text) {
            return .wrapped(inner, "base64")
        }
        // Bytes that occur in no text go to the receipt parser, which reports the offset of the error.
        guard bytes.allSatisfy(isText) || text.allSatisfy(isText) else { return .content(.receipt(bytes)) }
        throw Refusal(.malformed, at: "input", "It is neither a receipt nor a JWS, nor base64, hexadecimal, PEM or JSON with one inside.")
    }

    /// Finds a known member of a JSON object, or a property list; a property list in the old ASCII format begins with a brace, too.
    private static func object(_ bytes: [UInt8]) -> Layer {
        guard let json = JSONReader.read(bytes) else { return .content(.transactionReceipt(bytes)) }
        for member in members {
            if let text = json[member]?.text { return .wrapped(Array(text.utf8), "JSON member \(member)") }
        }
        return .content(.transactionReceipt(bytes))
    }

    /// The bytes without a surrounding byte order mark, blanks and quotation marks, which copying adds.
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

    /// Whether a byte is a character of a JWS, or of a malformed JWS that the verifier has to report.
    private static func isCompact(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: isBlank(byte)
        }
    }
}
