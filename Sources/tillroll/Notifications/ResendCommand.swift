import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Sends a notification again.
struct ResendCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "resend",
        abstract: "Send a notification once more: the same identifier, the same bytes.",
        discussion: """
            The store sends it where the app's notifications go; with --forward-to this command sends it instead, and the store does not \
            hear of it.

              tillroll resend 6ba7b810-9dad-11d1-80b4-00c04fd430c8
              tillroll resend 6ba7b810-9dad-11d1-80b4-00c04fd430c8 \\
                  --forward-to http://localhost:8000/notifications

            Exit codes: 0 taken, 1 not taken or refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The notification's identifier, as `store notifications` lists it.") var notification: String
    @Option(help: ArgumentHelp("Send it here instead.", valueName: "url")) var forwardTo: ForwardOption?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> ForwardAnswer {
        let parameters = ["notification": notification]
        guard let forwardTo else {
            let details = try await store.call(ControlEndpoints.resend, parameters)
            return ForwardAnswer(details, result: details.sendAttempts.last?.sendAttemptResult.rawValue ?? "NO_ADDRESS")
        }
        let details = try await store.call(ControlEndpoints.notification, parameters)
        return await forwardTo.forward(details)
    }

    func lines(_ answer: ForwardAnswer, _ style: TerminalStyle) -> [String] {
        [answer.line(style)]
    }

    func exitCode(_ answer: ForwardAnswer) -> ExitCode {
        answer.result == "SUCCESS" ? .success : StoreClient.refused
    }
}
