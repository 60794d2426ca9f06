import Foundation
import Testing

/// What the README tells people to type.
@Suite struct ReadmeTests {
    /// The lines of its shell code that call the command, without the command's name.
    private static func lines() throws -> [[String]] {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```sh\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        return blocks.flatMap { $0.split(separator: "\n") }.map { $0.split(separator: " ").map(String.init) }
            .filter { $0.first == "tillroll" }.map { Array($0.dropFirst()) }
    }

    @Test func `the README's lines make a receipt, verify it, and explain why others would refuse it`() async throws {
        let lines = try Self.lines()
        try await CommandFolder.with { command in
            var outcomes: [CommandFolder.Outcome] = []
            for line in lines { outcomes.append(try await command.run(line)) }
            #expect(outcomes.map(\.code) == [0, 0, 1])
            #expect(outcomes.last?.lines.first?.hasPrefix("refused  untrusted_root") == true)
            #expect(outcomes.last?.lines.contains("Steps") == true)
        }
    }
}
