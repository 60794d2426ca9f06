import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Lists an account's charges.
struct StoreChargesCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "charges",
        abstract: "List what an account paid and got back.",
        discussion: """
              tillroll store charges jane@example.com

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup var target: AccountTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> ChargesReply {
        try await store.call(ControlEndpoints.charges, ["account": target.account.rawValue])
    }

    func lines(_ answer: ChargesReply, _ style: TerminalStyle) -> [String] {
        var table = TextTable(["date", "transaction", "product", "amount"])
        for charge in answer.charges {
            let amount = "\(charge.amount.decimal) \(charge.amount.currency)"
            table.add(["\(charge.date)", charge.transaction.rawValue, charge.productID.rawValue, amount])
        }
        return table.isEmpty ? [style.faint("nothing was paid")] : table.lines(style, indent: "")
    }
}
