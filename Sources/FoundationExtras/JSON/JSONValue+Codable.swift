import Foundation

extension JSONValue: Codable {
    /// Decodes any JSON value.
    ///
    /// Decoding sorts the members of objects by name, and can change the format of numbers.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .number(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .number("\(value)")
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            let members = try container.decode([String: JSONValue].self)
            self = .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
        }
    }

    /// Encodes the JSON value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let digits):
            if let value = Int64(digits) {
                try container.encode(value)
            } else if let value = Decimal(string: digits) {
                try container.encode(value)
            } else {
                let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "The JSON number is out of range.")
                throw EncodingError.invalidValue(digits, context)
            }
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let members):
            try container.encode(Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last }))
        }
    }
}
