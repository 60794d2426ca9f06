import ArgumentParser
import PurchaseModel
import PurchaseProof

/// The output of a command about signed data: one JSON object, or a line and tables.
struct Report {
    /// A table with a title.
    struct Section {
        var title: String
        var table: TextTable
    }

    /// The result of the verification, and its steps if they were requested; nil if the command verifies nothing.
    var explanation: VerificationExplanation?
    /// The members of the object after the result.
    var members: [JSONValue.Member] = []
    /// The tables after the line.
    var sections: [Section] = []

    /// Prints the report.
    ///
    /// - Throws: The exit code of the result, unless it is 0.
    func deliver(asJSON: Bool) throws {
        try asJSON ? StandardOutput.bytes(json.bytes + [UInt8(ascii: "\n")]) : StandardOutput.lines(lines(.suiting()))
        if let code = explanation?.result.exitCode, code != .success { throw code }
    }

    /// The JSON object.
    var json: JSONValue {
        var members = (explanation?.members ?? []) + members
        if let explanation, !explanation.steps.isEmpty { members.append(JSONValue.Member("steps", explanation.stepsJSON)) }
        return .object(members)
    }

    /// The lines of text.
    func lines(_ style: TerminalStyle) -> [String] {
        var lines = [explanation?.line(style) ?? style.doubtful("not verified: anyone can have created this")]
        for section in sections where !section.table.isEmpty {
            lines += ["", style.strong(TerminalText.safe(section.title))] + section.table.lines(style)
        }
        if let explanation, !explanation.steps.isEmpty { lines += ["", style.strong("Steps")] + explanation.stepLines(style) }
        return lines
    }
}
