import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseStorage

extension RebuildTable {
    /// Returns the columns whose stored and recomputed values differ.
    func changes(stored: [SQLValue]?, recomputed: [SQLValue]?) -> [RebuildDifference.Change] {
        columns.enumerated().flatMap { index, column -> [RebuildDifference.Change] in
            let (old, new) = (stored?[index], recomputed?[index])
            guard old != new else { return [] }
            if column.kind == .event, case .text(let old)? = old, case .text(let new)? = new {
                return RecordChanges.between(stored: old, recomputed: new, as: SignedEvent.self)
            }
            return [RebuildDifference.Change(column.name, stored: old?.words, recomputed: new?.words)]
        }
    }
}

extension SQLValue {
    /// The value for a message; nil for `NULL`.
    fileprivate var words: String? {
        switch self {
        case .null: return nil
        case .text(let text): return text
        case .integer(let number): return "\(number)"
        case .boolean(let flag): return "\(flag)"
        case .bytes(let data): return Hexadecimal.encode(data)
        }
    }
}

/// The members that differ between two versions of a record.
enum RecordChanges {
    /// Returns the members that differ between two JSON texts; none if both are decoded to equal values.
    static func between<Value: Decodable & Equatable>(
        stored: String, recomputed: String, as type: Value.Type
    ) -> [RebuildDifference.Change] {
        func value(_ text: String) -> Value? { try? WireJSON.decode(type, from: Data(text.utf8)) }
        if let old = value(stored), old == value(recomputed) { return [] }
        let (old, new) = (members(stored), members(recomputed))
        guard let old, let new else { return [RebuildDifference.Change("event", stored: "unreadable", recomputed: recomputed)] }
        return Set(old.keys).union(new.keys).sorted().compactMap { name in
            old[name] == new[name] ? nil : RebuildDifference.Change(name, stored: old[name], recomputed: new[name])
        }
    }

    /// Returns the members of a JSON object by their paths; nil for a text that is not JSON.
    private static func members(_ text: String) -> [String: String]? {
        guard let json = try? WireJSON.decode(JSONValue.self, from: Data(text.utf8)) else { return nil }
        var members: [String: String] = [:]
        add(json, "", to: &members)
        return members
    }

    private static func add(_ json: JSONValue, _ path: String, to members: inout [String: String]) {
        if case .object(let object) = json {
            for member in object { add(member.value, path.isEmpty ? member.name : "\(path).\(member.name)", to: &members) }
        } else if json != .null {
            members[path] = json.text ?? String(decoding: json.bytes, as: UTF8.self)
        }
    }
}
