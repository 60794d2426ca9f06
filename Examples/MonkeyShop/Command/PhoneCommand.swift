import ArgumentParser
import Foundation
import Logging
import MonkeyShopUI

/// Runs the app of a phone for another process of this program, which kills it with SIGKILL.
struct PhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone",
        abstract: "Run the app of one phone for `monkeyshop serve` and `monkeyshop up` with --processes.",
        discussion: "The command reads the launch and requests as lines of JSON, prints what the phone shows, and ends with its input.",
        shouldDisplay: false
    )

    func run() async throws {
        let logger = Logger(label: "monkeyshop", factory: { _ in SwiftLogNoOpLogHandler() })
        do {
            try await PhoneProcess.run(input: .standardInput, logger: logger) { StandardOutput.line($0) }
        } catch is InvalidLaunch {
            throw ValidationError(
                "The first line describes no launch. The command is started by `monkeyshop serve` and `monkeyshop up` with --processes.")
        }
    }
}
