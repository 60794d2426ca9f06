import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Lists notifications.
struct StoreNotificationsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "List the notifications and what became of them.",
        discussion: """
              tillroll store notifications

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> DeliveriesReply {
        try await store.call(ControlEndpoints.notifications)
    }

    func lines(_ answer: DeliveriesReply, _ style: TerminalStyle) -> [String] {
        var table = TextTable(["notification", "type", "tried", "state"])
        for delivery in answer.deliveries {
            let type = [delivery.type, delivery.subtype].compactMap { $0 }.joined(separator: ".")
            table.add([delivery.notificationUUID, type, "\(delivery.attempts)", delivery.delivered ? "delivered" : "not delivered"])
        }
        return table.isEmpty ? [style.faint("no notifications")] : table.lines(style, indent: "")
    }
}
