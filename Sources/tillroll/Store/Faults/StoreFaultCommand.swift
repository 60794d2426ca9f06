import ArgumentParser

/// The commands for simulated faults.
struct StoreFaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault",
        abstract: "Switch faults on and off: what goes wrong on purpose.",
        discussion: """
              tillroll store fault set lostReply --count 1
              tillroll store fault list
              tillroll store fault clear
            """,
        subcommands: [StoreFaultSetCommand.self, StoreFaultListCommand.self, StoreFaultClearCommand.self]
    )
}
