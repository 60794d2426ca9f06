import ArgumentParser

/// The commands for signed data in the compact serialization.
struct JWSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jws",
        abstract: "Read, verify and make signed transactions, renewal information, notifications and app transactions.",
        discussion: """
            verify verifies a JWS, inspect shows its content without verifying it, make signs one for tests.

              tillroll jws verify notification.json --bundle-id com.example.app
              echo "$SIGNED_TRANSACTION" | tillroll jws inspect
            """,
        subcommands: [JWSVerifyCommand.self, JWSInspectCommand.self, JWSMakeCommand.self]
    )
}
