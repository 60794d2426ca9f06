import ArgumentParser

/// The commands for receipts.
struct ReceiptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Read, verify and make app receipts, and those of iOS 6 transactions.",
        discussion: """
            verify verifies a receipt, inspect shows its content without verifying it, make signs one for tests.

              tillroll receipt verify receipt --bundle-id com.example.app
              pbpaste | tillroll receipt inspect
            """,
        subcommands: [ReceiptVerifyCommand.self, ReceiptInspectCommand.self, ReceiptMakeCommand.self]
    )
}
