import ArgumentParser
import Foundation
import PurchaseModel
import TillrollTour

/// Plays an app in a process of its own, for the tour and the tests, which kill it.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Play MonkeyShop from a script, in a process that can be killed.",
        shouldDisplay: false
    )

    @Argument(help: "The script, a JSON file.")
    var script: String

    func run() async throws {
        let run = try WireJSON.decode(AppRun.self, from: Data(contentsOf: URL(filePath: script)))
        try await run.play { news in
            guard let line = try? WireJSON.encode(news) else { return }
            FileHandle.standardOutput.write(line + Data("\n".utf8))
        }
    }
}
