import ArgumentParser
import Foundation
import ProcessTestSupport
import Testing

@testable import tillroll

@Suite struct HelpTests {
    /// The names of all visible commands, including subcommands.
    private static let commands: [[String]] = names(of: Tillroll.self, after: [])

    private static func names(of command: any ParsableCommand.Type, after parents: [String]) -> [[String]] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap { inner in
            let path = parents + [inner.configuration.commandName ?? ""]
            return [path] + names(of: inner, after: path)
        }
    }

    @Test func `the list of commands includes subcommands`() {
        #expect(Self.commands.contains(["receipt", "issue"]) && Self.commands.contains(["verify-batch"]))
        #expect(Self.commands.count >= 14)
    }

    @Test(arguments: commands)
    func `help has an overview and the usage of a command, and its examples fit into 80 columns`(_ path: [String]) async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(path + ["--help"])
            #expect(outcome.code == 0 && outcome.error.isEmpty)
            #expect(outcome.lines.first?.hasPrefix("OVERVIEW: ") == true)
            #expect(outcome.text.contains("USAGE: tillroll \(path.joined(separator: " "))"))
            let examples = outcome.lines.filter { $0.hasPrefix("  tillroll ") }
            #expect(examples.allSatisfy { $0.count <= 80 })
        }
    }

    @Test(arguments: commands)
    func `help ends with the exit codes, once, but for groups of commands`(_ path: [String]) async throws {
        let isGroup = Self.commands.contains { $0.count > path.count && $0.starts(with: path) }
        try await CommandFolder.with { command in
            let outcome = try await command.run(path + ["--help"])
            let text = outcome.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.ranges(of: "Exit codes: 0 ").count == (isGroup ? 0 : 1))
            #expect(text.ranges(of: ", 64 wrong usage").count == (isGroup ? 0 : 1))
        }
    }
}
