import ArgumentParser
import Foundation
import PurchaseModel
import PurchaseProtocol

/// Shows one notification.
struct StoreNotificationCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification",
        abstract: "Show what a notification says, and the attempts to send it.",
        discussion: """
            With --json the answer has the body as it is sent, and what its signed parts say.

              tillroll store notification 6ba7b810-9dad-11d1-80b4-00c04fd430c8

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The notification's identifier, as `store notifications` lists it.") var notification: String
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> NotificationDetails {
        try await store.call(ControlEndpoints.notification, ["notification": notification])
    }

    func lines(_ answer: NotificationDetails, _ style: TerminalStyle) -> [String] {
        var table = TextTable()
        table.add("type", [answer.type, answer.subtype].compactMap { $0 }.joined(separator: "."))
        table.add("account", answer.account?.rawValue)
        table.add("signed", "\(answer.signedDate)")
        table.add("payload", Self.text(answer.payload))
        table.add("transaction", answer.transaction.map(Self.text))
        table.add("renewal", answer.renewalInfo.map(Self.text))
        table.add("app", answer.appTransaction.map(Self.text))
        for attempt in answer.sendAttempts { table.add("sent \(attempt.attemptDate)", attempt.sendAttemptResult.rawValue) }
        table.add("next attempt", answer.nextAttempt.map { "\($0)" })
        return table.lines(style, indent: "")
    }

    /// The text of a part; each nested JWS has a line of its own.
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
