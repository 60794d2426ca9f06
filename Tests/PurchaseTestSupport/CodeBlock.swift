import Foundation

/// The lines of a piece of code, without the indentation that all of them share.
package struct CodeBlock: Hashable, Sendable {
    /// The lines, from the first to the last one that is not empty.
    package let lines: [String]

    /// Creates a block from its text.
    package init(_ text: String) {
        self.init(lines: text.components(separatedBy: "\n"))
    }

    private init(lines: some Collection<String>) {
        let lines = Array(lines)
        guard let first = lines.firstIndex(where: Self.hasText), let last = lines.lastIndex(where: Self.hasText) else {
            self.lines = []
            return
        }
        let depth = lines[first...last].filter(Self.hasText).map { $0.prefix { $0 == " " }.count }.min() ?? 0
        self.lines = lines[first...last].map { Self.hasText($0) ? String($0.dropFirst(depth)) : "" }
    }

    private static func hasText(_ line: String) -> Bool { line.contains { $0 != " " } }

    /// Returns the Swift code blocks of a Markdown text.
    package static func all(in article: String) -> [CodeBlock] {
        article.components(separatedBy: "```swift\n").dropFirst().map { CodeBlock($0.components(separatedBy: "```")[0]) }
    }

    /// Returns the lines of a source file that none of the blocks shows, apart from empty ones.
    package static func missing(from source: String, _ blocks: [CodeBlock]) -> [String] {
        let lines = source.components(separatedBy: "\n")
        let shown = Set(blocks.flatMap { $0.ranges(in: lines) }.joined())
        return lines.indices.filter { !shown.contains($0) && hasText(lines[$0]) }.map { lines[$0] }
    }

    /// Returns the ranges of the lines of a source file that are equal to the block.
    private func ranges(in source: [String]) -> [Range<Int>] {
        guard !lines.isEmpty, lines.count <= source.count else { return [] }
        return source.indices.dropLast(lines.count - 1).map { $0..<$0 + lines.count }.filter { CodeBlock(lines: source[$0]) == self }
    }

    /// Returns whether the block is in a source file, to the letter.
    package func appears(in source: String) -> Bool { !ranges(in: source.components(separatedBy: "\n")).isEmpty }
}
