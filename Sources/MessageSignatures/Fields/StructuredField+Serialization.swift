import Foundation

extension StructuredValue {
    /// The value in a field (RFC 9651, section 4.1.3.1).
    ///
    /// Strings must be printable ASCII, and tokens valid; the parser returns no others, and callers check their own texts.
    var serialized: String {
        switch self {
        case .integer(let integer): return String(integer)
        case .decimal(let thousandths):
            let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
            let digits = String(String(fraction + 1000).dropFirst())
            let shown = digits.hasSuffix("00") ? digits.prefix(1) : digits.hasSuffix("0") ? digits.prefix(2) : digits[...]
            return "\(thousandths < 0 ? "-" : "")\(whole).\(shown)"
        case .string(let text):
            // Most texts have nothing to escape, and a search by characters takes longer than the signature.
            let isPlain = !text.utf8.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") }
            return isPlain ? "\"\(text)\"" : "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        case .token(let text): return text
        case .bytes(let bytes): return ":\(Data(bytes).base64EncodedString()):"
        case .boolean(let isTrue): return isTrue ? "?1" : "?0"
        }
    }
}

extension [StructuredParameter] {
    /// The parameters in a field (RFC 9651, section 4.1.1.2).
    var serialized: String {
        map { $0.value == .boolean(true) ? ";\($0.name)" : ";\($0.name)=\($0.value.serialized)" }.joined()
    }
}

extension StructuredItem {
    /// The item in a field (RFC 9651, section 4.1.3).
    var serialized: String { value.serialized + parameters.serialized }
}

extension StructuredList {
    /// The inner list in a field (RFC 9651, section 4.1.1.1).
    var serialized: String { "(" + items.map(\.serialized).joined(separator: " ") + ")" + parameters.serialized }
}
