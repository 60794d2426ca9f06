import ArgumentParser
import Dispatch
import Foundation
import Release

/// The entry point of the process.
@main
enum EntryPoint {
    /// Prepares the standard streams and runs the command.
    ///
    /// The function is synchronous, because Swift starts threads before an asynchronous `main`, and these threads would use the free
    /// descriptors of closed standard streams.
    static func main() {
        StandardStreams.openClosed()
        Task { @MainActor in
            await Tillroll.main()
            exit(0)
        }
        dispatchMain()
    }
}

/// The command-line tool for developers.
struct Tillroll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tillroll",
        abstract: "Develop and test in-app purchases: run a local App Store, and inspect, verify and issue signed data.",
        discussion: """
            `tillroll store up` runs a local App Store for tests of your server, and the other commands of `tillroll store` control it. \
            `tillroll receipt` and `tillroll jws` inspect, verify and issue receipts and signed data, and `tillroll verify-batch` \
            verifies millions of them. `tillroll offer` signs and checks promotional offers and tokens of your server. \
            `tillroll storekit` checks .storekit files.

            Completion of commands and options in your shell: tillroll --generate-completion-script bash (or zsh, fish)
            """,
        version: "tillroll \(ReleaseVersion.current)",
        subcommands: [
            StoreCommand.self, ListenCommand.self, TriggerCommand.self, ResendCommand.self, ReceiptCommand.self, JWSCommand.self,
            OfferCommand.self, VerifyBatchCommand.self, StorekitCommand.self,
        ]
    )

    static func main() async {
        var command: any ParsableCommand
        do { command = try parseAsRoot() } catch {
            let isUsageError = exitCode(for: error) == .validationFailure
            guard isUsageError, let problem = UsageProblem(in: Array(CommandLine.arguments.dropFirst()), of: self) else {
                exit(withError: error)
            }
            StandardError.line("Error: \(problem.message)")
            exit(withError: ExitCode.validationFailure)
        }
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as ValidationError {
            // Print no usage text, because the arguments are syntactically valid.
            StandardError.line("Error: \(error)")
            exit(withError: ExitCode.validationFailure)
        } catch {
            guard !(error is ExitCode), exitCode(for: error) == .failure else { exit(withError: error) }
            StandardError.line("Error: \(error)")
            exit(withError: ExitCode.softwareError)
        }
    }
}
