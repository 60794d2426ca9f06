import Mustache

/// Escapes text for HTML, scalar by scalar.
///
/// Mustache's own escaping compares whole characters, so a `<` or `"` that is joined with a neighboring scalar into one character
/// (U+0600 before it, or a combining accent after it) passes unescaped, while a browser still reads it as markup.
struct HTMLEscaping: MustacheContentType {
    func escapeText(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
