/// Text from signed or hostile data, escaped for a terminal.
///
/// A bundle ID can contain any characters: escape sequences that move the cursor over the result, line breaks that fake a row, marks that
/// change the direction of writing.
enum TerminalText {
    /// The text with unsafe characters escaped as in `\u{1B}`.
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

    /// At most the given number of characters; the last one of a shortened text is an ellipsis.
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
