import ArgumentParser
import Foundation
import Logging
import MonkeyShopBackend
import MonkeyShopUI
import UnixSignals

/// Runs the sample app in the terminal.
struct TerminalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "terminal",
        abstract: "Run the sample app in this terminal.",
        discussion: """
            The app runs on a simulated phone with a separate App Store and server, and each screen is printed as lines. Type the number of \
            a line to choose the line, with a quantity or a text after the number. Type the name of a screen, such as settings or \
            controls, to show the screen; an empty line prints the screen again, and quit ends the app. The commands can come from a \
            pipe. Without --folder, the files are deleted at the end.

            Exit codes: 0 ended by quit, by the end of the input or by a signal, 64 wrong usage.
            """
    )

    @Option(
        help: "The folder for the files of the store, the server and the phones; the next run continues from these files.",
        transform: nonEmptyPath)
    var folder: String?

    @Option(help: "The language: en or de. Default: the language of LC_ALL, LC_MESSAGES or LANG.")
    var language: String?

    func validate() throws {
        if let language, !["en", "de"].contains(language) {
            throw ValidationError("Invalid language \(language): give en or de.")
        }
    }

    /// Returns the language of messages (POSIX, section 8.2); empty environment variables are ignored.
    private static func language(in environment: [String: String]) -> String {
        let values = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
        return String((values.first { !$0.isEmpty } ?? "en").prefix(2))
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let language = language ?? Self.language(in: environment)
        let logger = Logger(label: "monkeyshop", factory: { _ in SwiftLogNoOpLogHandler() })
        if let folder {
            let lock = try FolderLock(folder)
            try await Self.play(TerminalShop(folder: folder, language: language, logger: logger))
            _ = consume lock
        } else {
            let folder = FileManager.default.temporaryDirectory.appending(path: "monkeyshop-\(UUID())").path
            defer { try? SampleFiles.remove(folder) }
            try await Self.play(TerminalShop(folder: folder, language: language, logger: logger))
        }
    }

    /// Runs the app until the user quits, the input ends, or a signal arrives; a signal also interrupts the current action.
    private static func play(_ shop: TerminalShop) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let input = TerminalInput()
        let watch = Task {
            for await _ in signals { input.stop() }
        }
        let read = Task {
            for await line in ChildProcess.lines(of: .standardInput, includesIncompleteLine: true) { input.send(line) }
            input.end()
        }
        defer {
            watch.cancel()
            read.cancel()
        }
        try await shop.run(input: input) { StandardOutput.line($0) }
    }
}
