import ArgumentParser
import Foundation
import ProcessTestSupport
import Testing

@testable import tillroll

@Suite struct HelpTests {
    /// Every command with its names, those inside others included; the one that only tests call is left out.
    private static let commands: [[String]] = names(of: Tillroll.self, after: [])

    private static func names(of command: any ParsableCommand.Type, after parents: [String]) -> [[String]] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap { inner in
            let path = parents + [inner.configuration.commandName ?? ""]
            return [path] + names(of: inner, after: path)
        }
    }

    @Test func `there is help for every command`() {
        #expect(Self.commands.contains(["receipt", "make"]) && Self.commands.contains(["verify-batch"]))
        #expect(Self.commands.count >= 14)
    }

    @Test(arguments: commands)
    func `help says what a command is for, and no example is broken`(_ path: [String]) async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(path + ["--help"])
            #expect(outcome.code == 0 && outcome.error.isEmpty)
            #expect(outcome.lines.first?.hasPrefix("OVERVIEW: ") == true)
            #expect(outcome.text.contains("USAGE: tillroll \(path.joined(separator: " "))"))
            let examples = outcome.lines.filter { $0.hasPrefix("  tillroll ") }
            #expect(examples.allSatisfy { $0.count <= 80 })
        }
    }
}
