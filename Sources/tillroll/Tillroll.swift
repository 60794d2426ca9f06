import ArgumentParser

/// The command-line tool for developers.
@main
struct Tillroll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tillroll",
        abstract: "In-app purchasing whole: a device, a store and a server on one machine.",
        discussion: """
            Start with `tillroll tour`, which plays the whole story; `tillroll up` leaves a store and a server running, \
            `tillroll store up` a store for a server of yours. \
            `tillroll receipt` and `tillroll jws` read, verify and make what a store signs, `tillroll offer` what your server \
            signs, and `tillroll verify-batch` verifies millions of them. `tillroll storekit` checks what a store is to sell.
            """,
        subcommands: [
            TourCommand.self, UpCommand.self, StoreCommand.self, ListenCommand.self, TriggerCommand.self, ResendCommand.self,
            ReceiptCommand.self, JWSCommand.self, OfferCommand.self, VerifyBatchCommand.self,
            StorekitCommand.self, AppCommand.self,
        ]
    )

    /// The exit code for unexpected errors (`EX_SOFTWARE` of sysexits.h).
    ///
    /// Exit code 1 means that data was refused, and must have no other meaning.
    private static let unexpected = ExitCode(70)

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard !(error is ExitCode), exitCode(for: error) == .failure else { exit(withError: error) }
            StandardError.line("Error: \(error)")
            exit(withError: unexpected)
        }
    }
}
