import PurchaseModel
import PurchaseProof

extension ReceiptAttribute {
    /// The meaning of the attribute as a word; `unknown` for an unknown attribute.
    var meaning: String {
        guard let field = ReceiptField(rawValue: type) else { return "unknown" }
        let name = "\(field)"
        return name.hasPrefix("unknown") ? "unknown" : name
    }

    /// Whether the value is empty: no octets, or an empty text.
    var isEmpty: Bool {
        octets.isEmpty || text?.isEmpty == true
    }

    /// The value for a terminal: text and numbers as such, any other value as hexadecimal digits.
    var shown: String {
        if isEmpty { return "(empty)" }
        return text ?? integer.map { "\($0)" } ?? Hexadecimal.encode(octets)
    }

    /// The value for scripts: typed if the attribute's type is known, and always with its octets.
    var json: JSONValue {
        var members = [
            JSONValue.Member("type", .number(type)), JSONValue.Member("version", .number(version)),
            JSONValue.Member("meaning", .string(meaning)),
        ]
        if let text { members.append(JSONValue.Member("text", .string(text))) }
        if let integer { members.append(JSONValue.Member("integer", .number(integer))) }
        return .object(members + [JSONValue.Member("hex", .string(Hexadecimal.encode(octets)))])
    }
}
