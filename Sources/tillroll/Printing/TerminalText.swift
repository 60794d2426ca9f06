/// Text out of signed or hostile data, made fit for a terminal.
///
/// A bundle id can hold anything: escape sequences that move the cursor over the result, line breaks that fake a row, marks
/// that turn the direction of writing.
enum TerminalText {
    /// The text with such characters spelt out as `\u{1B}`.
    static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return text.unicodeScalars.reduce(into: "") { safe, scalar in
            if isUnsafe(scalar) {
                safe += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
    }

    /// At most so many characters, the last one a sign that there were more.
    static func shortened(_ text: String, to count: Int) -> String {
        text.count > count ? text.prefix(count - 1) + "…" : text
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        default: false
        }
    }
}
