import ArgumentParser
import Foundation
import PurchaseModel
import PurchaseProtocol

/// Forwards a store's notifications to a local address.
struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Send a store's notifications on to a local address, a line for each.",
        discussion: """
            They are taken from what the store tells of itself, so the store need not reach this machine, its own addresses stay as they \
            are, and a connection that breaks loses nothing. Each is sent once; `resend` sends one again. The store's own retries and \
            faults of notifications concern the address that it was given with `store app --notify`.

              tillroll listen --forward-to http://localhost:8000/notifications
              tillroll listen --forward-to http://localhost:8000/n --events DID_RENEW,REFUND

            Goes on until interrupted. Exit codes: 0 interrupted, 1 refused, 2 the store is gone, 64 wrong usage.
            """
    )

    @Option(help: ArgumentHelp("Where to send them.", valueName: "url")) var forwardTo: ForwardOption
    @Option(help: ArgumentHelp("Only these types, joined by commas; TYPE.SUBTYPE for one subtype.", valueName: "types")) var events: String?
    @Option(help: "Only those of this account.") var account: String?
    @Option(help: "Begin after the event of this number, 0 for all; without it with what is yet to come.") var after: Int64?
    @OptionGroup(title: "Store") var options: StoreOptions

    func run() async throws {
        StandardStreams.prepare()
        let store = try options.client()
        let wanted = events.map { Set($0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }) }
        var query = ["after": "\(try await start(store))"]
        query["account"] = account
        if !options.json { StandardError.line("Listening to \(store.address); notifications go to \(forwardTo.url).") }
        for try await event in EventFeed(store: store, query: query) where event.kind == .notification {
            guard let notification = event.notification else { continue }
            let details = try await store.call(ControlEndpoints.notification, ["notification": notification])
            let kind = [details.type, details.subtype].compactMap { $0 }.joined(separator: ".")
            guard wanted?.isDisjoint(with: [details.type, kind]) != true else { continue }
            try print(await forwardTo.forward(details))
        }
    }

    /// The sequence number of the event after which listening begins.
    private func start(_ store: StoreClient) async throws -> Int64 {
        if let after { return after }
        return try await store.call(ControlEndpoints.events, query: ["before": "\(Int64.max)", "limit": "1"]).events.last?.id ?? 0
    }

    private func print(_ answer: ForwardAnswer) throws {
        if options.json {
            try StandardOutput.bytes([UInt8](try WireJSON.encode(answer)) + [UInt8(ascii: "\n")])
        } else {
            try StandardOutput.lines([answer.line(.suiting())])
        }
    }
}
