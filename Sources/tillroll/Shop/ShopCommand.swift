import ArgumentParser

/// The sample app.
struct ShopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shop",
        abstract: "Serve the sample app as a web page for everybody.",
        subcommands: [ShopServeCommand.self]
    )
}
