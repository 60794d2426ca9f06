import ArgumentParser
import Foundation
import PurchaseModel
import TillrollTour

/// Runs an app in its own process, which the tour and the tests kill.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Play MonkeyShop from a script, in a process that can be killed.",
        shouldDisplay: false
    )

    @Argument(help: "The script, a JSON file.")
    var script: String

    func run() async throws {
        guard let data = try? Data(contentsOf: URL(filePath: script)), let run = try? WireJSON.decode(AppRun.self, from: data) else {
            throw ValidationError("\(script) is no script of an app; `tillroll tour --keep` leaves some to look at.")
        }
        try await run.play { news in
            guard let line = try? WireJSON.encode(news) else { return }
            StandardOutput.line(String(decoding: line, as: UTF8.self))
        }
    }
}
