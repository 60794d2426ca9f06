import Foundation

/// The lines of a piece of code, without indentation and empty lines.
struct CodeBlock {
    let lines: [String]

    init(_ text: String) {
        lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Returns the Swift code blocks of a Markdown text.
    static func all(in article: String) -> [CodeBlock] {
        article.components(separatedBy: "```swift\n").dropFirst().map { CodeBlock($0.components(separatedBy: "```")[0]) }
    }

    /// Whether the lines occur consecutively in a source file.
    func appears(in source: String) -> Bool {
        let source = CodeBlock(source).lines
        return !lines.isEmpty && source.indices.contains { source[$0...].starts(with: lines) }
    }
}
