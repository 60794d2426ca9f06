import ArgumentParser

/// The commands for `.storekit` files.
struct StorekitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storekit",
        abstract: "Check the .storekit files that describe what a store sells.",
        discussion: """
              tillroll storekit lint Shop.storekit
            """,
        subcommands: [StorekitLintCommand.self]
    )
}
