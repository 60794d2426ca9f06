public import ArgumentParser
import Foundation
import FoundationExtras
import PurchaseModel
import StoreControl
package import StoreProtocol
import Wire
import WireClient

/// Lists the requests that a store has received.
struct StoreRequestsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List the requests that a store has received, or follow them.",
        discussion: """
            A running store keeps the newest 800 requests, and the newest 200 requests to the control API. The reason of a refusal is in \
            the last column. With --json each request is one JSON object on a line, with and without --follow.

              tillroll store requests --failed
              tillroll store requests --follow --on verifyReceipt --on serverAPI
              tillroll store requests --text 2000000000000001
            """,
        exitCodes: .store
    )

    @Flag(help: "Print new requests as they arrive, until interrupted.") var follow = false
    @Flag(help: "Only refused and failed requests.") var failed = false
    @Option(name: .customLong("on"), help: "Only requests to this interface; repeatable (default: all but control).")
    var surfaces: [RequestSurface] = []
    @Option(help: "Only requests with this identifier, or with this text in path, account, reason or bodies.") var text: String?
    @Option(help: "The maximum number of newest past requests, from 0 to 500.") var limit = 50
    @OptionGroup(title: "Store") var options: StoreOptions

    func validate() throws {
        guard (0...RequestsReply.limit).contains(limit) else {
            throw ValidationError("Invalid --limit \(limit): give a number from 0 to \(RequestsReply.limit).")
        }
    }

    func run() async throws {
        StandardStreams.prepare()
        let store = try options.client()
        var query = RequestQuery()
        query.limit = limit
        query.onlyFailed = failed
        (query.surfaces, query.withoutControl) = (Set(surfaces), surfaces.isEmpty)
        query.text = text
        guard follow else {
            for request in try await store.call(ControlEndpoints.requests, query: query.parameters).requests { try print(request) }
            return
        }
        let requests: ServerSentEvents<RequestSummary> = store.follow(ControlEndpoints.requestStreamPath, query.parameters) { $0.id }
        for try await request in requests { try print(request) }
    }

    private func print(_ request: RequestSummary) throws {
        if options.json {
            try StandardOutput.bytes([UInt8](try WireJSON.encode(request)) + [UInt8(ascii: "\n")])
        } else {
            try StandardOutput.lines([request.line(.detected())])
        }
    }
}

extension RequestSurface: ExpressibleByArgument {}

/// Shows a request with its body and its response.
struct StoreRequestDetailsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Show a request that a store has received, with its body and its response.",
        discussion: """
            Passwords, shared secrets, tokens and keys are replaced by •••.

              tillroll store request 12
            """,
        exitCodes: .store
    )

    @Argument(help: "The number of the request, as `store requests` lists it.") var request: Int64
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> RequestDetails {
        try await store.call(ControlEndpoints.request, ["request": "\(request)"])
    }

    func lines(_ output: RequestDetails, _ style: TerminalStyle) -> [String] {
        var table = TextTable()
        let summary = output.summary
        table.add("request", "\(summary.method) \(summary.path)")
        table.add("date", "\(summary.date)")
        table.add("environment", summary.environment.rawValue)
        table.add("account", summary.account?.rawValue)
        table.add("client", summary.client)
        table.add("identifier", summary.requestID)
        table.add("status", [String(summary.status), summary.code].compactMap { $0 }.joined(separator: ", "))
        table.add("reason", summary.reason)
        table.add("duration", summary.duration)
        let parts = [("Request", output.requestBody, output.requestLength), ("Response", output.responseBody, output.responseLength)]
        return table.lines(style, indent: "")
            + parts.flatMap { title, body, length in
                ["", style.strong(title), body.map { TerminalText.safe($0) } ?? Self.size(length)]
            }
    }

    private static func size(_ length: Int?) -> String {
        switch length {
        case 0: "no body"
        case let length?: "\(length) bytes, which are not shown"
        case nil: "no body, or a body of unknown length"
        }
    }
}

extension RequestSummary {
    /// The time until the response, such as `1.2 ms`.
    fileprivate var duration: String {
        let tenths = (microseconds + 50) / 100
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    /// The request as a line of text.
    func line(_ style: TerminalStyle) -> String {
        let answer = TerminalText.safe([String(status), code].compactMap { $0 }.joined(separator: " "))
        let details = TerminalText.safe([account?.rawValue, reason].compactMap { $0 }.joined(separator: "  "))
        let parts = [
            "\(date)", "#\(id)", "\(method) \(TerminalText.safe(path))", isFailure ? style.bad(answer) : style.good(answer), duration,
            details,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
