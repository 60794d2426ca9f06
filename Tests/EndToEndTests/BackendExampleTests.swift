import Foundation
import ProcessTestSupport
import Testing

/// Tests that the backends in `Examples/Backend` pass their own tests with a local store.
@Suite struct BackendExampleTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    /// Runs a bash script with the path of `tillroll` in the environment and the repository's folder in `$1`, and returns its outcome.
    private func run(_ script: String) async throws -> CommandFolder.Outcome {
        try await CommandFolder.with { command in
            try await command.shell("export TILLROLL=\"$tillroll\" PYTHONDONTWRITEBYTECODE=1\n\(script)", [Self.root.path])
        }
    }

    @Test func `a Python backend with Apple's library passes its tests`() async throws {
        let outcome = try await run("exec \"$1/scripts/peers\" -m pytest -q -p no:cacheprovider \"$1/Examples/Backend/python\"")
        #expect(outcome.code == 0, "\(outcome.text) \(outcome.error)")
        #expect(outcome.text.contains("7 passed"), "\(outcome.text)")
    }

    @Test func `a Node backend without packages passes its tests`() async throws {
        let outcome = try await run("cd \"$1/Examples/Backend/node\" && exec node --test --test-reporter=tap")
        #expect(outcome.code == 0, "\(outcome.text) \(outcome.error)")
        let results = outcome.text.split(separator: "\n").filter { $0.hasPrefix("# pass ") || $0.hasPrefix("# fail ") }
        #expect(results == ["# pass 16", "# fail 0"], "\(outcome.text)")
    }
}
