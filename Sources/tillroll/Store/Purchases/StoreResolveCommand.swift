import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Resolves the issue of an interrupted payment.
struct StoreResolveCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Let a payment go on that was interrupted.",
        discussion: """
              tillroll store resolve
              tillroll store resolve 6ba7b810-9dad-11d1-80b4-00c04fd430c8

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The payment; not needed while only one is interrupted.") var payment: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> DecisionAnswer {
        let waiting = try await store.call(ControlEndpoints.interruptions)
        let payment = try store.only(payment, of: waiting)
        let _: Empty = try await store.call(ControlEndpoints.resolve, ["payment": payment.rawValue])
        return DecisionAnswer(payment: payment, approved: true)
    }

    func lines(_ answer: DecisionAnswer, _ style: TerminalStyle) -> [String] {
        ["\(TerminalText.safe(answer.payment.rawValue)) goes on."]
    }
}
