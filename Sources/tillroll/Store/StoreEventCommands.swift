import ArgumentParser
import AsyncHTTPClient
import Foundation
import FoundationExtras
import PurchaseModel
import StoreControl
import StoreProtocol
import Wire
import WireClient

/// Prints a store's events.
struct StoreEventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "List the events of a store, or follow its event stream.",
        discussion: """
            With --json each event is one JSON object on a line, with and without --follow.

              tillroll store events --account jane@example.com
              tillroll store events --follow --json
            """,
        exitCodes: .store
    )

    @Flag(help: "Print new events as they occur, until interrupted.") var follow = false
    @Option(help: "Begin after the event with this number.") var after: Int64 = 0
    @Option(help: "Only events of this account.") var account: String?
    @Option(help: "The maximum number of events, 1 to 1000; with --follow, of newest past events (default: all).") var limit: Int?
    @OptionGroup(title: "Store") var options: StoreOptions

    func run() async throws {
        StandardStreams.prepare()
        let store = try options.client()
        var query = ["after": "\(after)"]
        query["account"] = account
        guard follow else {
            query["limit"] = limit.map { "\($0)" }
            try await printPastEvents(of: store, query)
            return
        }
        if let limit {
            let past = try await pastEvents(limit, of: store, query)
            for event in past.newest { try print(event) }
            query["after"] = "\(past.last)"
        }
        for try await event in store.followEvents(query) { try print(event) }
    }

    func validate() throws {
        guard limit.map({ (0...1_000).contains($0) }) ?? true else {
            throw ValidationError("Invalid --limit \(limit ?? 0): give a number from 1 to 1000, or 0 with --follow for new events only.")
        }
        if limit == 0, !follow { throw ValidationError("Invalid --limit 0: give a number from 1 to 1000.") }
    }

    /// Returns the newest past events, oldest first, and the number of the last event.
    private func pastEvents(
        _ limit: Int, of store: StoreConnection, _ query: [String: String]
    ) async throws -> (newest: [StoreEvent], last: Int64) {
        var (query, newest, number) = (query, [StoreEvent](), after)
        while true {
            let events = try await store.call(ControlEndpoints.events, query: query).events
            guard let last = events.last else { return (newest, number) }
            (newest, number) = (Array((newest + events).suffix(limit)), last.id)
            query["after"] = "\(number)"
        }
    }

    /// Prints the past events: one page if `--limit` is given, otherwise all pages.
    private func printPastEvents(of store: StoreConnection, _ query: [String: String]) async throws {
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
        let duration = event.milliseconds.map { "\($0) ms" }
        let details = [event.account?.rawValue, event.productID?.rawValue, event.transactionID?.rawValue, event.detail, duration]
            .compactMap { $0 }
        let kind = TerminalStyle.detected().strong(event.kind.rawValue)
        try StandardOutput.lines(["\(event.date)  \(kind)  \(TerminalText.safe(details.joined(separator: "  ")))"])
    }
}

/// Lists a store's notifications and their delivery states.
struct StoreNotificationsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "List notifications and their delivery states.",
        discussion: """
              tillroll store notifications
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> DeliveriesReply {
        try await store.call(ControlEndpoints.notifications)
    }

    func lines(_ output: DeliveriesReply, _ style: TerminalStyle) -> [String] {
        var table = TextTable(["notification", "type", "attempts", "state"])
        for delivery in output.deliveries {
            let type = [delivery.type, delivery.subtype].compactMap { $0 }.joined(separator: ".")
            table.add([delivery.notificationUUID, type, "\(delivery.attempts)", delivery.state])
        }
        guard !table.isEmpty else { return [style.faint("no notifications")] }
        let hasAddresses = output.deliveries.allSatisfy { $0.delivered || $0.hasAddress != false }
        let advice = hasAddresses ? [] : ["", style.faint("Set the address with: tillroll store app --notify URL")]
        return table.lines(style, indent: "") + advice
    }
}

extension NotificationDelivery {
    /// The state of the delivery in words.
    fileprivate var state: String {
        if delivered { return "delivered" }
        return hasAddress == false ? "no address" : "not delivered"
    }
}

/// Shows the payload of one notification and its delivery attempts.
struct StoreNotificationCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification",
        abstract: "Show the payload of a notification and its delivery attempts.",
        discussion: """
            With --json the output contains the body as it is sent, and the decoded payloads of its JWS.

              tillroll store notification 6ba7b810-9dad-11d1-80b4-00c04fd430c8
            """,
        exitCodes: .store
    )

    @Argument(help: "The notificationUUID, as `store notifications` lists it.") var notification: String
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> NotificationDetails {
        try await store.call(ControlEndpoints.notification, ["notification": notification])
    }

    func lines(_ output: NotificationDetails, _ style: TerminalStyle) -> [String] {
        var table = TextTable()
        table.add("type", [output.type, output.subtype].compactMap { $0 }.joined(separator: "."))
        table.add("account", output.account?.rawValue)
        table.add("signed", "\(output.signedDate)")
        table.add("payload", Self.text(output.payload))
        table.add("transaction", output.transaction.map(Self.text))
        table.add("renewal", output.renewalInfo.map(Self.text))
        table.add("app", output.appTransaction.map(Self.text))
        for attempt in output.sendAttempts { table.add("sent \(attempt.attemptDate)", Self.text(attempt)) }
        table.add("next attempt", output.nextAttempt.map { "\($0)" })
        return table.lines(style, indent: "")
    }

    /// Returns a delivery attempt as text: its result, address, status, duration, and the first line of the response's body.
    private static func text(_ attempt: DeliveryAttempt) -> String {
        [
            attempt.sendAttemptResult.rawValue, attempt.url, attempt.status.map { "status \($0)" },
            attempt.milliseconds.map { "\($0) ms" }, attempt.response?.split(separator: "\n").first.map { "“\($0)”" },
        ].compactMap { $0 }.joined(separator: ", ")
    }

    /// Returns a payload as text without the nested JWS, whose payloads the table shows separately.
    private static func text(_ json: JSONText) -> String {
        let value = JSONReader.read([UInt8](json.data)).map(withoutSigned)
        return String(decoding: value?.bytes ?? [], as: UTF8.self)
    }

    private static func withoutSigned(_ value: JSONValue) -> JSONValue {
        guard case .object(let members) = value else { return value }
        let others = members.filter { !($0.name.hasPrefix("signed") && $0.value.text != nil) }
        return .object(others.map { JSONValue.Member($0.name, withoutSigned($0.value)) })
    }
}
