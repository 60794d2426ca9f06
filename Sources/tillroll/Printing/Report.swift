import ArgumentParser
import PurchaseModel
import PurchaseProof

/// What a command has to say about signed data: to scripts as one JSON object, to people as a line and tables.
struct Report {
    /// A table with a title.
    struct Section {
        var title: String
        var table: TextTable
    }

    /// The verdict; nil where nobody judged.
    var judgement: Judgement?
    /// What follows the verdict in the object.
    var members: [JSONValue.Member] = []
    /// What follows the line.
    var sections: [Section] = []
    /// How the verdict was found; nil where nobody asked.
    var explanation: Explanation?

    /// Prints it.
    ///
    /// - Throws: The exit code of the verdict, unless it is 0.
    func deliver(asJSON: Bool) throws {
        try asJSON ? StandardOutput.bytes(json.bytes + [UInt8(ascii: "\n")]) : StandardOutput.lines(lines(.suiting()))
        if let code = judgement?.word.exitCode, code != .success { throw code }
    }

    /// The object.
    var json: JSONValue {
        var members = (judgement?.members ?? []) + members
        if let explanation { members.append(JSONValue.Member("steps", .array(explanation.steps.map(Self.json)))) }
        return .object(members)
    }

    private static func json(_ step: Explanation.Step) -> JSONValue {
        .object([
            JSONValue.Member("name", .string(step.name)), JSONValue.Member("saw", .string(step.saw)),
            JSONValue.Member("rule", .string(step.rule)), JSONValue.Member("outcome", .string(step.outcome.rawValue)),
        ])
    }

    /// The lines for people.
    func lines(_ style: TerminalStyle) -> [String] {
        var lines = [judgement?.line(style) ?? style.doubtful("not verified: anybody can have written this")]
        for section in sections where !section.table.isEmpty {
            lines += ["", style.strong(TerminalText.safe(section.title))] + section.table.lines(style)
        }
        if let explanation { lines += ["", style.strong("Steps")] + explanation.steps.flatMap { Self.lines($0, style) } }
        return lines
    }

    private static func lines(_ step: Explanation.Step, _ style: TerminalStyle) -> [String] {
        let outcome = step.outcome.rawValue.padding(to: 8)
        let word =
            switch step.outcome {
            case .passed: style.good(outcome)
            case .failed: style.bad(outcome)
            case .unknown: style.doubtful(outcome)
            case .skipped: style.faint(outcome)
            }
        return [
            "  \(word)  \(style.strong(TerminalText.safe(step.name)))  \(TerminalText.safe(step.saw))",
            "            \(style.faint(TerminalText.safe(step.rule)))",
        ]
    }
}

extension String {
    /// The text with blanks after it, up to a width.
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
