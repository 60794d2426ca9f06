import Foundation
import FoundationExtras
import NIOCore

/// Replaces secrets in what a client has sent, and in what the store has answered.
///
/// A secret is found by its value, if the store knows the value, and by its place: the value of a JSON member or of a query parameter with
/// the name of a secret, whatever the type of the value is. Strings are searched as well, because they can contain JSON or a query.
struct SecretMask: Sendable {
    private static let mark = "•••"
    /// The names of secrets without blanks and punctuation, in lowercase.
    private static let names: Set<String> = [
        "token", "accesstoken", "authtoken", "bearertoken", "refreshtoken", "sessiontoken", "authorization", "cookie", "credentials",
    ]
    /// A name that contains one of these texts is the name of a secret.
    private static let partsOfNames = ["password", "passwd", "passphrase", "secret", "privatekey", "apikey"]
    /// The minimum length in bytes of a secret that is found by its value; a shorter text can be a common word.
    private static let minimumLength = 8
    /// The maximum length in bytes of such a secret; the store issues none that is longer, and a client can send any.
    private static let maximumLength = 4_096
    /// The maximum depth of JSON in strings of JSON; a deeper string is replaced as a whole.
    private static let depthLimit = 4

    /// The known secrets, which are replaced wherever they occur.
    private let values: [String]

    /// Creates a mask.
    ///
    /// - Parameter values: The secrets that the store knows, such as the shared secret.
    init(_ values: [String] = []) {
        self.values = values.filter { (Self.minimumLength...Self.maximumLength).contains($0.utf8.count) }
    }

    /// The size of the known secrets in bytes.
    var size: Int { values.reduce(0) { $0 + $1.utf8.count } }

    /// Returns a body as text with its secrets replaced.
    ///
    /// The result is nil for bytes that are not UTF-8, and for text that is no JSON and can contain a secret, whose place is then unknown.
    func text(of body: ByteBuffer) -> String? {
        guard let text = String(validating: body.readableBytesView, as: UTF8.self) else { return nil }
        if JSONReader.read(Array(body.readableBytesView)) != nil { return line(json(text, depth: 0)) }
        // A name can be written with escapes.
        let letters = Self.letters(text) + Self.letters(text.removingPercentEncoding ?? "")
        let canHaveSecret = text.contains("\\u") || (Self.names.union(Self.partsOfNames)).contains { letters.contains($0) }
        return canHaveSecret ? nil : line(text)
    }

    /// Returns a path with its secrets replaced.
    func path(_ path: String) -> String {
        line(path.split(separator: "/", omittingEmptySubsequences: false).map(part).joined(separator: "/"))
    }

    /// Returns a query with its secrets replaced.
    func query(_ query: Substring) -> String {
        let parameters = query.split(separator: "&").map { parameter in
            guard let equals = parameter.firstIndex(of: "=") else { return part(parameter) }
            let (name, value) = (parameter[..<equals], parameter[parameter.index(after: equals)...])
            return "\(name)=" + (Self.isSecret(name.removingPercentEncoding ?? String(name)) ? Self.mark : part(value))
        }
        return line(parameters.joined(separator: "&"))
    }

    /// Returns a text in which the known secrets are replaced.
    func line(_ text: String) -> String {
        values.reduce(text) { $0.replacing($1, with: Self.mark) }
    }

    /// Returns a part of a URL, or the mark if it contains a secret that is percent-encoded, or has a name.
    private func part(_ text: Substring) -> String {
        let decoded = text.replacing("+", with: " ").removingPercentEncoding ?? String(text)
        return string(decoded, depth: 0) == decoded ? String(text) : Self.mark
    }

    // MARK: - JSON

    /// Replaces the secrets of valid JSON.
    private func json(_ text: String, depth: Int) -> String {
        var masked = ""
        var rest = text.utf8[...]
        // The part of `rest` before `copied` is in `masked` already.
        var copied = rest.startIndex
        func replace(_ range: Range<String.Index>, with literal: String) {
            masked += text[copied..<range.lowerBound] + literal
            copied = range.upperBound
        }
        while let start = rest.firstIndex(of: UInt8(ascii: "\"")) {
            rest = rest[start...]
            let literal = Self.value(&rest)
            let content = Self.unescaped(text[literal])
            Self.skipBlanks(&rest)
            if rest.first == UInt8(ascii: ":") {
                rest = rest.dropFirst()
                Self.skipBlanks(&rest)
                guard Self.isSecret(content) else { continue }
                let value = Self.value(&rest)
                // A truth value says no more than that there is a secret.
                if !["true", "false", "null"].contains(text[value]) { replace(value, with: "\"\(Self.mark)\"") }
            } else {
                let shown = string(content, depth: depth)
                if shown != content { replace(literal, with: String(decoding: JSONValue.string(shown).bytes, as: UTF8.self)) }
            }
        }
        return masked + text[copied...]
    }

    /// Replaces the secrets in a string: those of JSON in the string, and otherwise the whole string if it has the name of a secret before `=`
    /// or `:`.
    private func string(_ text: String, depth: Int) -> String {
        let shown = line(text)
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) else { return shown }
        switch JSONReader.read(Array(text.utf8)) {
        case .object?, .array?: return depth < Self.depthLimit ? json(shown, depth: depth + 1) : Self.mark
        default: return Self.namesSecret(text) || Self.namesSecret(text.removingPercentEncoding ?? "") ? Self.mark : shown
        }
    }

    /// Returns whether a text has the name of a secret before `=` or `:`.
    private static func namesSecret(_ text: String) -> Bool {
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }
        return parts.dropLast().contains { part in
            let name = part.reversed().drop { !isLetter($0) && $0 != UInt8(ascii: "_") }.prefix { byte in
                isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            }
            return isSecret(String(decoding: name.reversed(), as: UTF8.self))
        }
    }

    private static func isSecret(_ name: String) -> Bool {
        let letters = letters(name)
        return names.contains(letters) || partsOfNames.contains { letters.contains($0) }
    }

    /// Returns the letters and digits of a name in lowercase: `Shared-Secret` and `shared_secret` are the same name.
    private static func letters(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.filter(isLetter), as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    private static func unescaped(_ literal: Substring) -> String {
        guard literal.utf8.contains(UInt8(ascii: "\\")) else { return String(literal.dropFirst().dropLast()) }
        guard case .string(let text)? = JSONReader.read(Array(literal.utf8)) else { return String(literal) }
        return text
    }

    private static func skipBlanks(_ rest: inout Substring.UTF8View) {
        rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    }

    /// Returns the range of the value at the beginning of valid JSON, and moves behind it.
    private static func value(_ rest: inout Substring.UTF8View) -> Range<String.Index> {
        let start = rest.startIndex
        var depth = 0
        repeat {
            switch rest.first {
            case UInt8(ascii: "\"")?:
                rest = rest.dropFirst()
                while let byte = rest.first, byte != UInt8(ascii: "\"") { rest = rest.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1) }
                rest = rest.dropFirst()
            case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
                depth += 1
                rest = rest.dropFirst()
            case UInt8(ascii: "}")?, UInt8(ascii: "]")?:
                depth -= 1
                rest = rest.dropFirst()
            case nil: return start..<rest.startIndex
            default:
                if depth > 0 {
                    rest = rest.dropFirst()
                } else {
                    rest = rest.drop { isLetter($0) || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains($0) }
                }
            }
        } while depth > 0
        return start..<rest.startIndex
    }
}
