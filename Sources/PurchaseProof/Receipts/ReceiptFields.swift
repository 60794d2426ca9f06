import PurchaseModel
import SwiftASN1

/// The attributes of one SET of a receipt, by number, with the typed readings of their values.
///
/// ```
/// SET OF SEQUENCE { INTEGER type, INTEGER version, OCTET STRING value }
/// ```
///
/// The set need not be sorted, since Xcode does not sort it. Numbers that nobody asks for are skipped, so that Apple can add
/// some; one that is read must not be there twice, because two readers could then read two different receipts.
struct ReceiptFields {
    /// How many attributes one set may have; the longest receipt of Apple that we know has 205.
    static let maximumCount = 20_000

    private let path: String
    private var values: [Int64: [ArraySlice<UInt8>]] = [:]

    init(_ bytes: ArraySlice<UInt8>, path: String) throws(Refusal) {
        self.path = path
        var attributes = try ASN1Fields(parsing: bytes, as: .set, path: path)
        var count = 0
        while let attribute = attributes.nextIfAny() {
            count += 1
            guard count <= Self.maximumCount else { throw Refusal(.malformed, at: path) }
            var fields = try ASN1Fields(attribute, as: .sequence, path: path)
            let type = try fields.integer("type")
            _ = try fields.integer("version")
            let value = try fields.octets("value")
            try fields.end()
            values[type, default: []].append(value)
        }
    }

    /// The octets of every attribute of that number, in the order of the receipt.
    func all(_ field: ReceiptField) -> [ArraySlice<UInt8>] {
        values[field.rawValue] ?? []
    }

    /// The octets of the attribute of that number; nil when there is none.
    func octets(_ field: ReceiptField) throws(Refusal) -> ArraySlice<UInt8>? {
        let all = all(field)
        guard all.count <= 1 else { throw Refusal(.malformed, at: name(field)) }
        return all.first
    }

    /// A UTF8String or IA5String; nil when it is missing or empty.
    func text(_ field: ReceiptField) throws(Refusal) -> String? {
        guard let octets = try octets(field) else { return nil }
        let node = try ASN1Fields.parse(octets, path: name(field))
        guard node.identifier == .utf8String || node.identifier == .ia5String, case .primitive(let bytes) = node.content,
            let text = String(validating: bytes, as: UTF8.self)
        else { throw Refusal(.malformed, at: name(field)) }
        return text.isEmpty ? nil : text
    }

    /// An INTEGER; nil when it is missing.
    func integer(_ field: ReceiptField) throws(Refusal) -> Int64? {
        guard let octets = try octets(field) else { return nil }
        return try ASN1Fields.integer(ASN1Fields.parse(octets, path: name(field)), path: name(field))
    }

    /// A date in text; nil when it is missing or empty.
    func date(_ field: ReceiptField) throws(Refusal) -> Timestamp? {
        guard let text = try text(field) else { return nil }
        guard let date = Timestamp(rfc3339: text) else { throw Refusal(.malformed, at: name(field)) }
        return date
    }

    /// Turns what is missing into an error.
    func required<Value>(_ field: ReceiptField, _ value: Value?) throws(Refusal) -> Value {
        guard let value else { throw Refusal(.malformed, at: name(field)) }
        return value
    }

    private func name(_ field: ReceiptField) -> String { "\(path).\(field.rawValue)" }
}
