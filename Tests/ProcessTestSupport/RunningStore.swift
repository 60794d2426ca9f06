package import Foundation
package import PurchaseModel
import PurchaseTestSupport
package import StoreTestSupport
package import Testing

/// A `tillroll store up` process, and the commands that use its store.
package struct RunningStore {
    /// The path of the garden shop's catalog, `Tests/Clients/garden.storekit`.
    package static let storekit = URL(filePath: #filePath).appending(path: "../../Clients/garden.storekit").standardizedFileURL.path
    package static let seeds: ProductID = "com.example.garden.seeds5"
    package static let shed: ProductID = "com.example.garden.shed"
    package static let monthly: ProductID = "com.example.garden.almanac.monthly"
    package static let bundleID: BundleID = "com.example.garden"

    package let process: LineProcess
    /// The line that the command printed.
    package let line: String
    /// The JSON object in ``line``.
    package let answer: [String: Any]
    package let command: CommandFolder

    package var url: String { answer["url"] as? String ?? "" }
    package var client: ConnectedStore { ConnectedStore(at: HTTPURL(stringLiteral: url)) }

    /// A string member of ``answer``; empty if it is missing.
    package func text(_ name: String) -> String { answer[name] as? String ?? "" }

    /// Starts a store in a command folder.
    package static func start(_ options: [String] = [], in command: CommandFolder) async throws -> RunningStore {
        let arguments = ["store", "up", "--storekit", storekit, "--bundle-id", bundleID.rawValue, "--port", "0", "--json"]
        return try await launch(arguments + options, in: command)
    }

    /// Starts a store with the arguments.
    package static func launch(_ arguments: [String], in command: CommandFolder) async throws -> RunningStore {
        let process = try LineProcess(BuiltProducts.path("tillroll"), arguments, standardError: .nullDevice)
        let line = try #require(await process.lines.first { _ in true })
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        return RunningStore(process: process, line: line, answer: answer, command: command)
    }

    /// Starts a store, calls `body` with it, and terminates it afterward, as a service manager does.
    package static func with(_ options: [String] = [], _ body: (RunningStore) async throws -> Void) async throws {
        try await CommandFolder.with { command in
            let store = try await start(options, in: command)
            do { try await body(store) } catch {
                _ = await store.process.terminate()
                throw error
            }
            #expect(await store.process.terminate() == 0)
        }
    }

    /// Runs a `tillroll` command against this store.
    package func run(_ arguments: String..., input: Data = Data()) async throws -> CommandFolder.Outcome {
        try await shell("exec \"$tillroll\" \"$@\"", arguments, input: input)
    }

    /// Runs a bash script in which `$tillroll` uses this store.
    package func shell(_ script: String, _ arguments: [String] = [], input: Data = Data()) async throws -> CommandFolder.Outcome {
        let prelude = "export TILLROLL_STORE='\(url)' TILLROLL_TOKEN='\(text("token"))'\n"
        return try await command.shell(prelude + script, arguments, input: input)
    }

    /// Runs a command with `--json`, expects exit code 0, and returns the printed object.
    package func json(_ arguments: String..., at place: SourceLocation = #_sourceLocation) async throws -> [String: Any] {
        let outcome = try await shell("exec \"$tillroll\" \"$@\"", arguments + ["--json"])
        #expect(outcome.code == 0, "\(arguments) \(outcome.error)", sourceLocation: place)
        #expect(outcome.text.filter { $0 == "\n" }.count == 1 && outcome.text.hasSuffix("\n"), sourceLocation: place)
        return outcome.json
    }
}
