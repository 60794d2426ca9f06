import PurchaseModel

/// An object of a `.storekit` file during reading: returns the object's members and records findings about them.
///
/// `null` has the same meaning as a missing member.
struct StorekitObject {
    /// The maximum number of characters of a key or value in a finding.
    private static let printableLimit = 60

    /// The object's path; empty for the file itself.
    let path: String
    let diagnostics: StorekitDiagnostics
    private let values: [String: JSONValue]

    /// Returns nil and adds an error if the value is not an object.
    init?(_ value: JSONValue, at path: String, keys: StorekitKeys.Table, diagnostics: StorekitDiagnostics) {
        guard case .object(let members) = value else {
            diagnostics.error(.wrongType(path: path), "This is not an object: enclose the members in braces.")
            return nil
        }
        self.path = path
        self.diagnostics = diagnostics
        var values: [String: JSONValue] = [:]
        for member in members {
            let memberPath = Self.memberPath(member.name, in: path)
            guard values[member.name] == nil else {
                diagnostics.warning(memberPath, "The key occurs twice, and the reader uses the first: remove one.")
                continue
            }
            values[member.name] = member.value
            if let version = keys[member.name] {
                diagnostics.noteKey(member.name, at: memberPath, since: version)
            } else {
                diagnostics.warning(memberPath, "The key is unknown: it has no effect, and the writer keeps it.")
            }
        }
        self.values = values
    }

    /// The path of a member.
    func memberPath(_ key: String) -> String {
        Self.memberPath(key, in: path)
    }

    private static func memberPath(_ key: String, in path: String) -> String {
        let key = printable(key)
        return path.isEmpty ? key : "\(path).\(key)"
    }

    /// A shortened text on one line, for use in a finding.
    static func printable(_ text: String) -> String {
        let short = text.unicodeScalars.prefix(printableLimit)
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
        wrongType(key, "a string in quotation marks")
        return nil
    }

    /// A text for display only; a value of another type is a warning, not an error.
    func label(_ key: String) -> String {
        switch value(key) {
        case .string(let text)?: return text
        case nil: return ""
        default:
            diagnostics.warning(memberPath(key), "This is not a string, and the reader ignores it: use quotation marks.")
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
        wrongType(key, "an array in square brackets")
        return []
    }

    func object(_ key: String, keys: StorekitKeys.Table) -> StorekitObject? {
        value(key).flatMap { StorekitObject($0, at: memberPath(key), keys: keys, diagnostics: diagnostics) }
    }

    func objects(_ key: String, keys: StorekitKeys.Table) -> [StorekitObject] {
        array(key).enumerated().compactMap {
            StorekitObject($0.element, at: "\(memberPath(key))[\($0.offset)]", keys: keys, diagnostics: diagnostics)
        }
    }

    /// Adds an error for a missing required member.
    func missing(_ key: String, _ message: String) {
        diagnostics.error(.missing(path: memberPath(key)), message)
    }

    private func wrongType(_ key: String, _ type: String) {
        diagnostics.error(.wrongType(path: memberPath(key)), "This value has the wrong type: use \(type).")
    }
}
