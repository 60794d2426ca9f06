import ArgumentParser
import Foundation
import Logging
import MonkeyShopUI

/// Runs the app of one phone, in a process that `monkeyshop serve` or `monkeyshop up` starts and kills with SIGKILL.
struct PhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone",
        abstract: "Run the app of one phone for `monkeyshop serve` and `monkeyshop up` with --processes.",
        discussion: "The command reads a launch and requests as lines of JSON, prints reports of the phone, and ends when the input ends.",
        shouldDisplay: false
    )

    func run() async throws {
        let logger = Logger(label: "monkeyshop", factory: { _ in SwiftLogNoOpLogHandler() })
        do {
            try await PhoneProcess.run(input: .standardInput, logger: logger) { StandardOutput.line($0) }
        } catch is InvalidLaunch {
            throw ValidationError(
                "The first line of the input is not a launch. Use `monkeyshop serve --processes`, which starts this command.")
        }
    }
}
