import FoundationExtras

/// A JSON object of a `.storekit` file, whose methods return its members and add errors and warnings about them.
///
/// A member with the value `null` is treated as missing.
struct StorekitObject {
    /// The maximum number of Unicode scalars of a key or value in an error or warning; longer texts are shortened.
    private static let printableLimit = 60

    /// The place of the object in the file's JSON; empty for the file itself.
    let path: String
    let diagnostics: StorekitDiagnostics
    private let values: [String: JSONValue]

    /// Creates a reader of a JSON object, and adds warnings about unknown and repeated keys.
    ///
    /// If `value` is not an object, the initializer returns nil and adds an error.
    init?(_ value: JSONValue, at path: String, keys: StorekitKeys.Table, diagnostics: StorekitDiagnostics) {
        guard case .object(let members) = value else {
            diagnostics.error(.wrongType(path: path), "The value is not a JSON object: enclose its members in braces.")
            return nil
        }
        self.path = path
        self.diagnostics = diagnostics
        var values: [String: JSONValue] = [:]
        for member in members {
            let memberPath = Self.memberPath(member.name, in: path)
            guard values[member.name] == nil else {
                diagnostics.warning(memberPath, "The key occurs twice in its object, and only the first is used: remove one of them.")
                continue
            }
            values[member.name] = member.value
            if let version = keys[member.name] {
                diagnostics.noteKey(member.name, at: memberPath, since: version)
            } else {
                diagnostics.noteIgnored(memberPath)
                if path.isEmpty, let version = StorekitKeys.ignored[member.name] {
                    diagnostics.noteKey(member.name, at: memberPath, since: version)
                    guard member.value != .array([]) else { continue }
                    diagnostics.warning(
                        memberPath, "The key has no effect, because the store sells no subscription bundles and suites: test them in Xcode."
                    )
                } else {
                    diagnostics.warning(
                        memberPath,
                        diagnostics.isLaterVersion
                            ? "The key is unknown and has no effect: a later version of the format has introduced it, or it is misspelled."
                            : "The key is unknown and has no effect: check its spelling.")
                }
            }
        }
        self.values = values
    }

    /// Returns the place of a member in the file's JSON, such as `products[3].displayPrice`.
    func memberPath(_ key: String) -> String {
        Self.memberPath(key, in: path)
    }

    private static func memberPath(_ key: String, in path: String) -> String {
        let key = printable(key)
        return path.isEmpty ? key : "\(path).\(key)"
    }

    /// Returns a text for use in an error or warning: shortened, and without control characters.
    static func printable(_ text: String) -> String {
        let short = text.unicodeScalars.prefix(printableLimit)
        let safe = String(String.UnicodeScalarView(short.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
        return short.count < text.unicodeScalars.count ? safe + "…" : safe
    }

    /// Returns the value of a member; nil if the member is missing or `null`.
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

    /// Returns a member that is a text for display only; empty if the member is missing.
    ///
    /// A value of another type causes a warning and not an error.
    func label(_ key: String) -> String {
        switch value(key) {
        case .string(let text)?: return text
        case nil: return ""
        default:
            diagnostics.warning(memberPath(key), "The value is not a string and is ignored: use quotation marks.")
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

    /// Adds an error for a required member that is missing; `message` is a sentence with the solution.
    func missing(_ key: String, _ message: String) {
        diagnostics.error(.missing(path: memberPath(key)), message)
    }

    private func wrongType(_ key: String, _ type: String) {
        diagnostics.error(.wrongType(path: memberPath(key)), "The value has the wrong type: use \(type).")
    }
}
