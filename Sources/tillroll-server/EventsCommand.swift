import ArgumentParser
import Foundation
import PurchaseServer

#if canImport(Glibc)
    import Glibc
#endif

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Print the events of an app: changes of entitlements, purchases, balances and customers.",
        discussion: """
            The command reads the database of the server with the same configuration, also while the server runs. Each line begins with the \
            cursor of the event, with which --after continues. With --json, each line is an event with its cursor and the members that \
            docs/events.md describes.
            """
    )

    @Option(
        help: ArgumentHelp("The cursor after which the events begin; 0 for the oldest event, latest for new events.", valueName: "cursor"))
    var after = "0"

    @Flag(help: "Print new events until a signal stops the command.")
    var follow = false

    @OptionGroup var options: AppCommandOptions

    func run() async throws {
        try await options.run(PurchaseServer.eventLog) { log in
            var cursor = after
            while true {
                let lines: [EventLog.Line]
                do {
                    (lines, cursor) = try await log.lines(after: cursor, waiting: follow)
                } catch let error as EventLog.Refusal {
                    throw AppCommandOptions.failure("\(error)")
                }
                for line in lines { print(options.json ? line.json : line.text) }
                // Flush the lines, because writes to a pipe are buffered, and the reader must receive the lines immediately.
                fflush(nil)
                if lines.isEmpty, !follow { return }
            }
        }
    }
}
