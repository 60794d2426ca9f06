import PurchaseModel

/// An object of a `.storekit` file during reading: returns the object's members and records findings about them.
///
/// `null` has the same meaning as a missing member.
struct StorekitObject {
    /// The maximum number of characters of a key or value in a finding.
    private static let shownLimit = 60

    /// The object's path; empty for the file itself.
    let path: String
    let notes: StorekitNotes
    private let values: [String: JSONValue]

    /// Returns nil and adds an error if the value is not an object.
    init?(_ value: JSONValue, at path: String, keys: StorekitKeys.Table, notes: StorekitNotes) {
        guard case .object(let members) = value else {
            notes.error(.wrongType(path: path), "This is no object: write the members in braces.")
            return nil
        }
        self.path = path
        self.notes = notes
        var values: [String: JSONValue] = [:]
        for member in members {
            let place = Self.place(member.name, in: path)
            guard values[member.name] == nil else {
                notes.warning(place, "The key is there twice and the first counts: remove one.")
                continue
            }
            values[member.name] = member.value
            if let version = keys[member.name] {
                notes.uses(member.name, at: place, since: version)
            } else {
                notes.warning(place, "The key is not known: it has no effect, and is kept when the file is rewritten.")
            }
        }
        self.values = values
    }

    /// The path of a member.
    func place(_ key: String) -> String {
        Self.place(key, in: path)
    }

    private static func place(_ key: String, in path: String) -> String {
        let key = shown(key)
        return path.isEmpty ? key : "\(path).\(key)"
    }

    /// A shortened text on one line, for use in a finding.
    static func shown(_ text: String) -> String {
        let short = text.unicodeScalars.prefix(shownLimit)
        let safe = String(String.UnicodeScalarView(short.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
        return short.count < text.unicodeScalars.count ? safe + "…" : safe
    }

    /// The value of a member; nil for a missing member and for `null`.
    func value(_ key: String) -> JSONValue? {
        guard let value = values[key], value != .null else { return nil }
        return value
    }

    func string(_ key: String) -> String? {
        guard let value = value(key) else { return nil }
        if case .string(let text) = value { return text }
        wrongType(key, "a text in quotation marks")
        return nil
    }

    /// A text for display only; a value of another type is a warning, not an error.
    func label(_ key: String) -> String {
        switch value(key) {
        case .string(let text)?: return text
        case nil: return ""
        default:
            notes.warning(place(key), "This is no text and counts as none: write it in quotation marks.")
            return ""
        }
    }

    func bool(_ key: String) -> Bool? {
        guard let value = value(key) else { return nil }
        if case .bool(let bool) = value { return bool }
        wrongType(key, "true or false")
        return nil
    }

    func integer(_ key: String) -> Int? {
        guard let value = value(key) else { return nil }
        if let number = Self.integer(value) { return number }
        wrongType(key, "a whole number")
        return nil
    }

    static func integer(_ value: JSONValue) -> Int? {
        guard case .number(let digits) = value else { return nil }
        return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
    }

    func array(_ key: String) -> [JSONValue] {
        guard let value = value(key) else { return [] }
        if case .array(let elements) = value { return elements }
        wrongType(key, "a list in square brackets")
        return []
    }

    func object(_ key: String, keys: StorekitKeys.Table) -> StorekitObject? {
        value(key).flatMap { StorekitObject($0, at: place(key), keys: keys, notes: notes) }
    }

    func objects(_ key: String, keys: StorekitKeys.Table) -> [StorekitObject] {
        array(key).enumerated().compactMap {
            StorekitObject($0.element, at: "\(place(key))[\($0.offset)]", keys: keys, notes: notes)
        }
    }

    /// Adds an error for a missing required member.
    func missing(_ key: String, _ sentence: String) {
        notes.error(.missing(path: place(key)), sentence)
    }

    private func wrongType(_ key: String, _ type: String) {
        notes.error(.wrongType(path: place(key)), "This has the wrong type: write \(type).")
    }
}
