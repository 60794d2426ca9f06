import ArgumentParser
import Dispatch
import Foundation
import MonkeyShop

@main
enum EntryPoint {
    /// Prepares the standard streams and runs the command.
    ///
    /// The function is synchronous, because Swift starts threads before an asynchronous `main`, and files that these
    /// threads open would get the free descriptors (0 to 2) of closed standard streams.
    static func main() {
        StandardStreams.openClosed()
        Task { @MainActor in
            await MonkeyShopCommand.main()
            exit(0)
        }
        dispatchMain()
    }
}

/// The command of the sample app.
struct MonkeyShopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monkeyshop",
        abstract: "Try the sample app MonkeyShop with a device, a local App Store and a purchase server on one machine.",
        discussion: """
            Start with `monkeyshop tour`, a demonstration from the first purchase to the refund. `monkeyshop up` runs a local App \
            Store, a purchase server and the app on a web page; `monkeyshop serve` serves the page to visitors, and \
            `monkeyshop terminal` runs the app in the terminal.

            Completion of commands and options in your shell: monkeyshop --generate-completion-script bash (or zsh, fish)
            """,
        version: "monkeyshop \(MonkeyShopSample.version)",
        subcommands: [
            TourCommand.self, UpCommand.self, ServeCommand.self, TerminalCommand.self, PhoneCommand.self, AppCommand.self,
        ]
    )

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as ValidationError {
            // Omit the syntax of the arguments, because the error concerns a value.
            StandardError.line("Error: \(error)")
            exit(withError: ExitCode.validationFailure)
        } catch {
            guard !(error is ExitCode), exitCode(for: error) == .failure else { exit(withError: error) }
            StandardError.line("Error: \(error)")
            exit(withError: ExitCode.softwareError)
        }
    }
}

extension ExitCode {
    /// The exit code for a failed step of the tour.
    static let refused = ExitCode(1)
    /// The exit code for a store's file that is damaged or has a later version (`EX_DATAERR` of sysexits.h).
    static let unreadableStore = ExitCode(65)
    /// The exit code for an unexpected error (`EX_SOFTWARE` of sysexits.h).
    static let softwareError = ExitCode(70)
}
