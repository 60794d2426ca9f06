import ArgumentParser
import Foundation
import PurchaseModel
import PurchaseProtocol
import WireClient

/// Prints a store's events.
struct StoreEventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Tell what happened in a store, or tell it as it happens.",
        discussion: """
            With --json each event is one JSON object on a line of its own, with --follow as without.

              tillroll store events --account jane@example.com
              tillroll store events --follow --json

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Flag(help: "Go on until interrupted, each event as it happens.") var follow = false
    @Option(help: "Begin after the event of this number.") var after: Int64 = 0
    @Option(help: "Only what happens to this account.") var account: String?
    @Option(help: "How many events at most, 1 to 1000; without it all. Not with --follow.") var limit: Int?
    @OptionGroup(title: "Store") var options: StoreOptions

    func run() async throws {
        StandardStreams.prepare()
        let store = try options.client()
        var query = ["after": "\(after)"]
        query["account"] = account
        guard follow else {
            query["limit"] = limit.map { "\($0)" }
            try await printKept(of: store, query)
            return
        }
        for try await event in EventFeed(store: store, query: query) { try print(event) }
    }

    /// Prints past events: all of them, page by page, unless the options set a limit.
    private func printKept(of store: StoreClient, _ query: [String: String]) async throws {
        var query = query
        while true {
            let events = try await store.call(ControlEndpoints.events, query: query).events
            for event in events { try print(event) }
            guard limit == nil, let last = events.last else { return }
            query["after"] = "\(last.id)"
        }
    }

    private func print(_ event: StoreEvent) throws {
        if options.json {
            try StandardOutput.bytes([UInt8](try WireJSON.encode(event)) + [UInt8(ascii: "\n")])
            return
        }
        let facts = [event.account?.rawValue, event.productID?.rawValue, event.transaction?.rawValue, event.detail].compactMap { $0 }
        let kind = TerminalStyle.suiting().strong(event.kind.rawValue)
        try StandardOutput.lines(["\(event.date)  \(kind)  \(TerminalText.safe(facts.joined(separator: "  ")))"])
    }
}
