import ArgumentParser

/// The developer's command.
@main
struct Tillroll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tillroll",
        abstract: "In-app purchasing whole: a device, a store and a server on one machine.",
        discussion: "Start with `tillroll tour`, which plays the whole story; `tillroll up` leaves a store and a server running.",
        subcommands: [TourCommand.self, UpCommand.self, AppCommand.self]
    )
}
