import ArgumentParser

/// The sample app.
struct ShopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shop",
        abstract: "Try the sample app in the terminal, or serve it as a web page for everybody.",
        subcommands: [ShopPlayCommand.self, ShopServeCommand.self, ShopPhoneCommand.self],
        defaultSubcommand: ShopPlayCommand.self
    )
}
