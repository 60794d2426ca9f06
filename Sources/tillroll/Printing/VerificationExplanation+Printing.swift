import ArgumentParser
import PurchaseModel
import PurchaseProof

extension VerificationExplanation.Result {
    /// The exit code of a command with this result.
    var exitCode: ExitCode {
        switch self {
        case .verified: .success
        case .refused: ExitCode(1)
        case .indeterminate: ExitCode(2)
        }
    }
}

extension VerificationExplanation {
    /// A refusal without steps.
    init(_ refusal: Refusal) {
        self.init(VerificationFailure.refused(refusal))
    }

    /// The members of the JSON object; members without a value are omitted.
    var members: [JSONValue.Member] {
        var members = [JSONValue.Member("result", .string(result.rawValue))]
        if let reason { members.append(JSONValue.Member("reason", .string(reason))) }
        if let place { members.append(JSONValue.Member("place", .string(place))) }
        if let offset { members.append(JSONValue.Member("offset", .number(offset))) }
        if let message { members.append(JSONValue.Member("message", .string(message))) }
        return members
    }

    /// The steps as JSON.
    var stepsJSON: JSONValue {
        .array(
            steps.map { step in
                .object([
                    JSONValue.Member("name", .string(step.name)), JSONValue.Member("observed", .string(step.observed)),
                    JSONValue.Member("rule", .string(step.rule)), JSONValue.Member("status", .string(step.status.rawValue)),
                ])
            })
    }

    /// The result as a line of text.
    func line(_ style: TerminalStyle) -> String {
        let word =
            switch result {
            case .verified: style.good("verified")
            case .refused: style.bad("refused")
            case .indeterminate: style.doubtful("indeterminate")
            }
        guard let reason else { return word }
        return "\(word)  \(style.strong(reason))  \(TerminalText.safe(message ?? ""))"
    }

    /// The steps as lines of text.
    func stepLines(_ style: TerminalStyle) -> [String] {
        steps.flatMap { step in
            let status = step.status.rawValue.padding(to: 13)
            let word =
                switch step.status {
                case .passed: style.good(status)
                case .failed: style.bad(status)
                case .indeterminate: style.doubtful(status)
                case .skipped: style.faint(status)
                }
            return [
                "  \(word)  \(style.strong(TerminalText.safe(step.name)))  \(TerminalText.safe(step.observed))",
                "                 \(style.faint(TerminalText.safe(step.rule)))",
            ]
        }
    }
}

extension String {
    /// The text, padded with spaces to a width.
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
