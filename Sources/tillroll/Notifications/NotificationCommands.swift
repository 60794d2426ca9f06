import ArgumentParser
import AsyncHTTPClient
import Foundation
import FoundationExtras
import NIOCore
import NIOHTTP1
import PurchaseModel
import StoreControl
import StoreProtocol
import WireClient

/// Forwards a store's notifications to a local address.
struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Forward a store's notifications to a local address.",
        discussion: """
            The command reads notifications from the store's event stream and prints a line for each. The store needs no connection \
            to this machine, the app's notification URLs stay unchanged, and a broken connection loses no notifications. The command \
            sends each notification once; `resend` sends one again. The store's retries and notification faults apply only to the \
            URL that `store app --notify` sets.

              tillroll listen --forward-to http://localhost:8000/notifications
              tillroll listen --forward-to http://localhost:8000/n --events DID_RENEW,REFUND

            The command runs until it is interrupted.
            """,
        exitCodes: ExitCodeFooter(success: "interrupted", refused: "refused", indeterminate: "no store responds")
    )

    @Option(help: ArgumentHelp("The URL to which notifications are sent.", valueName: "url")) var forwardTo: ForwardOption
    @Option(help: ArgumentHelp("Only these types, separated by commas; TYPE.SUBTYPE for one subtype.", valueName: "types"))
    var events: String?
    @Option(help: "Only notifications of this account.") var account: String?
    @Option(help: "Begin after the event with this number; 0 for all events (default: new events only).") var after: Int64?
    @OptionGroup(title: "Store") var options: StoreOptions

    func run() async throws {
        StandardStreams.prepare()
        let store = try options.client()
        let wanted = events.map { Set($0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }) }
        var query = ["after": "\(try await start(store))"]
        query["account"] = account
        if !options.json { StandardError.line("Forwarding notifications of \(store.address) to \(forwardTo.url).") }
        for try await event in store.followEvents(query) where event.kind == .notification {
            guard let notification = event.notificationUUID else { continue }
            let details = try await store.call(ControlEndpoints.notification, ["notification": notification])
            let kind = [details.type, details.subtype].compactMap { $0 }.joined(separator: ".")
            guard wanted?.isDisjoint(with: [details.type, kind]) != true else { continue }
            try print(await forwardTo.forward(details))
        }
    }

    /// Returns the number of the last event that the command does not forward.
    private func start(_ store: StoreConnection) async throws -> Int64 {
        if let after { return after }
        return try await store.call(ControlEndpoints.events, query: ["before": "\(Int64.max)", "limit": "1"]).events.last?.id ?? 0
    }

    private func print(_ output: ForwardResult) throws {
        if options.json {
            try StandardOutput.bytes([UInt8](try WireJSON.encode(output)) + [UInt8(ascii: "\n")])
        } else {
            try StandardOutput.lines([output.line(.detected())])
        }
    }
}

/// Makes the store create and send a notification of a given type.
struct TriggerCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger",
        abstract: "Trigger a notification of a type, with the events that cause it.",
        discussion: """
            The store creates the transaction history that the notification requires, such as a purchase before a failed renewal. \
            The store sends the notification to the app's notification URL, and `tillroll listen` forwards it.

              tillroll trigger DID_RENEW
              tillroll trigger DID_FAIL_TO_RENEW.GRACE_PERIOD --account jane@example.com
              tillroll trigger REFUND --product com.example.pro.monthly

            The error for an unknown type lists all types.
            """,
        exitCodes: .store
    )

    @Argument(help: "The notificationType, followed by a dot and the subtype if it has one.") var type: String
    @Option(help: "The account (default: a new account).") var account: String?
    @Option(help: "The product ID (default: a suitable product of the app).") var product: String?
    @Option(help: "The app's bundle ID (default: the store's first app).") var bundleID: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> TriggerReply {
        let parts = type.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let request = TriggerRequest(
            type: parts.first ?? "", subtype: parts.count > 1 ? parts[1] : nil, account: account.map { AccountID($0) },
            productID: product.map { ProductID($0) }, bundleID: bundleID.map { BundleID($0) }
        )
        return try await store.call(ControlEndpoints.trigger, request)
    }

    func lines(_ output: TriggerReply, _ style: TerminalStyle) -> [String] {
        let details = [output.account?.rawValue, output.transactionID.map { "transaction \($0)" }].compactMap { $0 }
        return [TerminalText.safe((["notification \(output.notificationUUID)"] + details).joined(separator: "  "))]
    }
}

/// Sends an existing notification again.
struct ResendCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "resend",
        abstract: "Send a notification again, with the same identifier and the same bytes.",
        discussion: """
            The store sends the notification to the app's notification URL. With --forward-to, this command sends the notification itself, \
            and the store records no delivery attempt.

              tillroll resend 6ba7b810-9dad-11d1-80b4-00c04fd430c8
              tillroll resend 6ba7b810-9dad-11d1-80b4-00c04fd430c8 \\
                  --forward-to http://localhost:8000/notifications
            """,
        exitCodes: .storeRequest(success: "delivered", refused: "not delivered, or refused")
    )

    @Argument(help: "The notificationUUID, as `store notifications` lists it.") var notification: String
    @Option(help: ArgumentHelp("The URL to which this command sends the notification.", valueName: "url")) var forwardTo: ForwardOption?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> ForwardResult {
        let parameters = ["notification": notification]
        guard let forwardTo else {
            let details = try await store.call(ControlEndpoints.resend, parameters)
            return ForwardResult(details, result: details.sendAttempts.last?.sendAttemptResult.rawValue ?? "NO_ADDRESS")
        }
        let details = try await store.call(ControlEndpoints.notification, parameters)
        return await forwardTo.forward(details)
    }

    func lines(_ output: ForwardResult, _ style: TerminalStyle) -> [String] {
        [output.line(style)]
    }

    func exitCode(_ output: ForwardResult) -> ExitCode {
        output.result == "SUCCESS" ? .success : .refused
    }
}

/// The address to which notifications are forwarded, with the scheme `http` or `https`.
struct ForwardOption: ExpressibleByArgument, Sendable {
    /// The address to which notifications are posted.
    let url: HTTPURL

    init?(argument: String) {
        guard let url = HTTPURL(argument) else { return nil }
        self.url = url
    }

    /// Posts a notification's body to the address, as the store does, and returns the outcome.
    func forward(_ details: NotificationDetails) async -> ForwardResult {
        guard let body = details.body else { return ForwardResult(details, result: "NO_BODY") }
        var request = HTTPClientRequest(url: url.text)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        request.body = .bytes(ByteBuffer(string: body))
        guard let response = try? await HTTPClient.wire.execute(request, timeout: .seconds(30)) else {
            return ForwardResult(details, result: "NO_RESPONSE")
        }
        let status = Int(response.status.code)
        // Read a body that arrives within 250 ms, so that the connection can be reused; only the status is evaluated.
        _ = try? await withDeadline(.milliseconds(250)) { try await response.body.collect(upTo: 1 << 20) }
        return ForwardResult(details, status: status, result: (200..<207).contains(status) ? "SUCCESS" : "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
    }
}

/// The result of forwarding one notification.
struct ForwardResult: Encodable, Sendable {
    var notificationUUID: String
    /// The notification type, such as `DID_RENEW`.
    var type: String
    var subtype: String?
    var account: AccountID?
    /// The HTTP status of the response; nil if there was no response, or if the store does not state the status.
    var status: Int?
    /// `SUCCESS`, another `sendAttemptResult` of the App Store Server API, `NO_ADDRESS` (the app has no notification URL) or `NO_BODY`.
    var result: String

    init(_ details: NotificationDetails, status: Int? = nil, result: String) {
        notificationUUID = details.notificationUUID
        type = details.type
        subtype = details.subtype
        account = details.account
        self.status = status
        self.result = result
    }

    /// Returns the result as a line of text for a terminal.
    func line(_ style: TerminalStyle) -> String {
        let kind = [type, subtype].compactMap { $0 }.joined(separator: ".")
        let word = status.map { "\($0)" } ?? result
        let details = [account?.rawValue, notificationUUID].compactMap { $0 }.joined(separator: "  ")
        let mark = result == "SUCCESS" ? style.good(word) : style.bad(word)
        return "\(mark)  \(style.strong(TerminalText.safe(kind)))  \(TerminalText.safe(details))"
    }
}
