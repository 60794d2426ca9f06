package import Foundation
package import PurchaseModel
import PurchaseTestSupport
package import Testing
package import TillrollTour
package import WireClient

/// `tillroll store up` as a process of its own, and the other commands as somebody types them in another terminal.
package struct RunningStore {
    /// What the garden's shop sells, in `Tests/Clients/garden.storekit`.
    package static let storekit = URL(filePath: #filePath).appending(path: "../../Clients/garden.storekit").standardizedFileURL.path
    package static let seeds: ProductID = "com.example.garden.seeds5"
    package static let shed: ProductID = "com.example.garden.shed"
    package static let monthly: ProductID = "com.example.garden.almanac.monthly"
    package static let bundleID: BundleID = "com.example.garden"

    package let process: LineProcess
    /// The one line that it printed.
    package let line: String
    /// What the line says.
    package let answer: [String: Any]
    package let command: CommandFolder

    package var url: String { answer["url"] as? String ?? "" }
    package var wire: WireClient { WireClient(baseURL: url, timeoutSeconds: 60) }

    /// A text of the answer.
    package func text(_ name: String) -> String { answer[name] as? String ?? "" }

    /// Starts a store in a folder of commands.
    package static func start(_ options: [String] = [], in command: CommandFolder) async throws -> RunningStore {
        let arguments = ["store", "up", "--storekit", storekit, "--bundle-id", bundleID.rawValue, "--port", "0", "--json"]
        return try await go(arguments + options, in: command)
    }

    /// Starts what the arguments say.
    package static func go(_ arguments: [String], in command: CommandFolder) async throws -> RunningStore {
        let process = try LineProcess(BuiltProducts.path("tillroll"), arguments, standardError: .nullDevice)
        let line = try #require(await process.lines.first { _ in true })
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        return RunningStore(process: process, line: line, answer: answer, command: command)
    }

    /// Gives a store to `body` and stops it afterwards, as a service manager does.
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

    /// Runs `tillroll` for this store.
    package func run(_ arguments: String..., input: Data = Data()) async throws -> CommandFolder.Outcome {
        try await shell("exec \"$tillroll\" \"$@\"", arguments, input: input)
    }

    /// Runs a script in which `tillroll` means this store.
    package func shell(_ script: String, _ arguments: [String] = [], input: Data = Data()) async throws -> CommandFolder.Outcome {
        let prelude = "export TILLROLL_STORE='\(url)' TILLROLL_TOKEN='\(text("token"))'\n"
        return try await command.shell(prelude + script, arguments, input: input)
    }

    /// Runs a command that has to work, and returns the object that it prints.
    package func json(_ arguments: String..., at place: SourceLocation = #_sourceLocation) async throws -> [String: Any] {
        let outcome = try await shell("exec \"$tillroll\" \"$@\"", arguments + ["--json"])
        #expect(outcome.code == 0, "\(arguments) \(outcome.error)", sourceLocation: place)
        #expect(outcome.text.filter { $0 == "\n" }.count == 1 && outcome.text.hasSuffix("\n"), sourceLocation: place)
        return outcome.json
    }
}
