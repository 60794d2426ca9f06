import Mustache

/// Escapes text for HTML, Unicode scalar by Unicode scalar.
///
/// The escaping of swift-mustache compares whole characters. A `<` that forms one character with a neighboring scalar, such as a combining
/// accent, would remain unescaped, while a browser reads it as markup.
package struct HTMLEscaping: MustacheContentType {
    /// Makes the escaping available to templates whose first line is `{{% CONTENT_TYPE: CONSOLE}}`.
    package static func register() {
        MustacheContentTypes.register(HTMLEscaping(), named: "CONSOLE")
    }

    /// Returns the escaped text.
    package func escapeText(_ text: String) -> String {
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
