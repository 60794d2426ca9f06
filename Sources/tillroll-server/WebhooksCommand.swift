import ArgumentParser
import Foundation
import PurchaseModel
import PurchaseServer
import ServerProtocol
import Wire

struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Manage the webhook endpoints of an app, which receive its events.",
        discussion: """
            A running server posts each event to the endpoints, signed as the Standard Webhooks specification says, and tries again for three \
            days. The commands use the same configuration as the server, and can run while the server runs. docs/webhooks.md describes the \
            messages.
            """,
        subcommands: [
            CreateWebhookCommand.self, ListWebhooksCommand.self, ChangeWebhookCommand.self, EnableWebhookCommand.self,
            DisableWebhookCommand.self, RotateWebhookSecretCommand.self, RemoveWebhookCommand.self, ResendWebhooksCommand.self,
            DeadLettersCommand.self,
        ]
    )
}

extension AppCommandOptions {
    /// Runs a command with the webhooks of the selected app; a refusal is printed on one line.
    fileprivate func runWithWebhooks(_ body: (WebhookService) async throws -> Void) async throws {
        try await run(PurchaseServer.webhooks(of:)) { webhooks in
            do {
                try await body(webhooks)
            } catch let refusal as WebhookRefusal {
                throw Self.failure(refusal.wireError.message)
            }
        }
    }

    fileprivate func print(_ webhook: WebhookReply) throws { try print(webhook, line: webhook.line) }

    fileprivate func print(_ reply: WebhookSecretReply) throws {
        try print(reply, line: "\(reply.webhook.line)\nSecret: \(reply.secret)")
    }
}

extension WebhookReply {
    fileprivate var line: String {
        let state = disabledBecause.map { "disabled: \($0)" } ?? failingSince.map { "failing since \($0)" } ?? "enabled"
        let messages = format == WebhookFormat.notification.rawValue ? "notifications" : "events"
        let selected = types.isEmpty ? "all \(messages)" : types.joined(separator: ",")
        let numbers = "\(waitingCustomers) customers waiting  \(deadLetters) dead letters"
        let named = format == WebhookFormat.event.rawValue ? "" : format
        return [id, url, state, named, selected, numbers, note].filter { !$0.isEmpty }.joined(separator: "  ")
    }
}

struct CreateWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a webhook endpoint, and print it with its secret.",
        discussion: """
            The endpoint receives the messages from now on. The secret can't be printed again; rotate replaces it. The format revenuecat \
            states events as RevenueCat's webhooks do; the format notification passes on the App Store's signed notifications unchanged.
            """
    )

    @Argument(help: "The URL, such as https://backend.example.com/tillroll.")
    var url: String

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("The types of messages, such as entitlement.activated. (default: all types)", valueName: "type"))
    var types: [String] = []

    @Option(help: "The format of the messages.")
    var format = WebhookFormat.event

    @Option(
        help: ArgumentHelp(
            "A file with the value of the header Authorization of each message; - for standard input.", valueName: "file"))
    var authorization: String?

    @Option(help: "A text about the endpoint.")
    var note = ""

    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        let authorization = try authorization.map(Self.text(ofFile:))
        try await common.runWithWebhooks { webhooks in
            try common.print(
                try await webhooks.create(
                    CreateWebhookRequest(url: url, note: note, types: types, format: format, authorization: authorization)))
        }
    }

    /// Returns the text of a file, because other users of the machine can read the arguments of a command.
    private static func text(ofFile path: String) throws -> String {
        do {
            let data = path == "-" ? try FileHandle.standardInput.readToEnd() : try Data(contentsOf: URL(filePath: path))
            return String(decoding: data ?? Data(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            throw ValidationError("The file of --authorization can't be read. Give the path of a readable file.")
        }
    }
}

struct ListWebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the webhook endpoints with their states and the numbers of waiting messages.")

    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        try await common.runWithWebhooks { webhooks in
            for webhook in try await webhooks.list().webhooks { try common.print(webhook) }
        }
    }
}

/// The argument that names a webhook endpoint.
struct WebhookArgument: ParsableArguments {
    @Argument(help: "The identifier of the endpoint, such as we_5b1d0f3c; list prints it.")
    var id: String
}

struct ChangeWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change the URL, the types or the text of an endpoint.")

    @OptionGroup var webhook: WebhookArgument

    @Option(help: "The new URL.")
    var url: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("The new types of events; \"all\" for all types. (default: unchanged)", valueName: "type"))
    var types: [String] = []

    @Option(help: "The new text about the endpoint.")
    var note: String?

    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        let types = types.isEmpty ? nil : types == ["all"] ? [] : types
        try await common.runWithWebhooks { webhooks in
            try common.print(try await webhooks.change(webhook.id, ChangeWebhookRequest(url: url, note: note, types: types)))
        }
    }
}

struct EnableWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Enable an endpoint, which then receives its waiting messages and the events since it was disabled.")

    @OptionGroup var webhook: WebhookArgument
    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        try await common.runWithWebhooks { webhooks in
            try common.print(try await webhooks.change(webhook.id, ChangeWebhookRequest(isEnabled: true)))
        }
    }
}

struct DisableWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable an endpoint; its messages wait until it is enabled.")

    @OptionGroup var webhook: WebhookArgument
    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        try await common.runWithWebhooks { webhooks in
            try common.print(try await webhooks.change(webhook.id, ChangeWebhookRequest(isEnabled: false)))
        }
    }
}

struct RotateWebhookSecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Replace the secret of an endpoint, and print the new secret.",
        discussion: "Messages have signatures with both secrets until the end of the overlap, so that the receiver can change its secret."
    )

    @OptionGroup var webhook: WebhookArgument

    @Option(
        help: ArgumentHelp("The seconds for which the replaced secret signs too, at most 604800. (default: 86400)", valueName: "seconds"))
    var overlap: Int64?

    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        try await common.runWithWebhooks { webhooks in
            try common.print(try await webhooks.rotate(webhook.id, overlapSeconds: overlap))
        }
    }
}

struct RemoveWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an endpoint with its waiting messages, and list the other endpoints.")

    @OptionGroup var webhook: WebhookArgument
    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        try await common.runWithWebhooks { webhooks in
            for webhook in try await webhooks.remove(webhook.id).webhooks { try common.print(webhook) }
        }
    }
}

struct ResendWebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resend",
        abstract: "Send events to an endpoint again: by their identifiers, or since a date.",
        discussion:
            "The messages keep their identifiers, by which a receiver recognizes those that it has. Dead letters are sent again, too."
    )

    @OptionGroup var webhook: WebhookArgument

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("The identifiers of events, such as evt_0f3c, or UUIDs of notifications.", valueName: "event"))
    var events: [String] = []

    @Option(help: ArgumentHelp("The date since which events were recorded, such as 2026-11-29T08:00:00Z.", valueName: "date"))
    var since: String?

    @Option(help: ArgumentHelp("The date before which events were recorded. (default: now)", valueName: "date"))
    var until: String?

    @Option(help: ArgumentHelp("The customer whom the events concern. (default: all customers)", valueName: "uuid"))
    var customer: String?

    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        var request = ResendWebhooksRequest(
            messages: events.isEmpty ? nil : events, from: try since.map { try Timestamp(argument: $0) },
            until: try until.map { try Timestamp(argument: $0) },
            customer: customer.map { CustomerID($0) })
        try await common.runWithWebhooks { webhooks in
            var enqueued = 0
            repeat {
                let reply = try await webhooks.resend(to: webhook.id, request)
                enqueued += reply.enqueued
                request.after = reply.nextCursor
            } while request.after != nil
            try common.print(ResendWebhooksReply(enqueued: enqueued, nextCursor: nil), line: "\(enqueued) messages are sent again.")
        }
    }
}

struct DeadLettersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters",
        abstract: "List the messages that the server no longer tries to deliver, oldest first.",
        discussion: "resend sends them again."
    )

    @OptionGroup var webhook: WebhookArgument
    @OptionGroup var common: AppCommandOptions

    func run() async throws {
        try await common.runWithWebhooks { webhooks in
            var cursor: String?
            repeat {
                let page = try await webhooks.deadLetters(of: webhook.id, after: cursor)
                for letter in page.deadLetters {
                    let fields = [
                        letter.message, letter.type, letter.customer?.rawValue ?? "-", "\(letter.diedAt)", "\(letter.attempts) attempts",
                        letter.failure,
                    ]
                    try common.print(letter, line: fields.joined(separator: "  "))
                }
                cursor = page.nextCursor
            } while cursor != nil
        }
    }
}

extension WebhookFormat: ExpressibleByArgument {}
