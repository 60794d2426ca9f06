import ArgumentParser
import Foundation
import Logging
import MonkeyShopUI

/// Runs the sample app in the terminal.
struct TerminalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "terminal",
        abstract: "Run the sample app in this terminal.",
        discussion: """
            The app runs on a phone with an App Store and a server of its own. Arrow keys move, Enter chooses, Tab shows the next screen, \
            and q ends the app. Without --folder, nothing is left afterwards.

            Exit codes: 0 ended by the person or by a signal, 64 wrong usage, such as no terminal.
            """
    )

    @Option(
        help: "The folder for the files of the store, the server and the phones, with which the next run continues.",
        transform: nonEmptyPath)
    var folder: String?

    @Option(help: "The language: en or de. Default: the language of LANG.")
    var language: String?

    func validate() throws {
        if let language, !["en", "de"].contains(language) {
            throw ValidationError("Invalid language \(language): give en or de.")
        }
    }

    /// The language of messages (POSIX, section 8.2), of which an empty variable says nothing.
    private static func language(in environment: [String: String]) -> String {
        let values = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
        return String((values.first { !$0.isEmpty } ?? "en").prefix(2))
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let language = language ?? Self.language(in: environment)
        let logger = Logger(label: "monkeyshop", factory: { _ in SwiftLogNoOpLogHandler() })
        do {
            if let folder {
                let lock = try FolderLock(folder)
                try await TerminalShop(folder: folder, language: language, logger: logger).run()
                _ = consume lock
            } else {
                let folder = FileManager.default.temporaryDirectory.appending(path: "monkeyshop-\(UUID())").path
                defer { try? FileManager.default.removeItem(atPath: folder) }
                try await TerminalShop(folder: folder, language: language, logger: logger).run()
            }
        } catch is NoTerminal {
            throw ValidationError("The app needs a terminal. Run the command in one, or run `monkeyshop serve` and open the page.")
        }
    }
}
