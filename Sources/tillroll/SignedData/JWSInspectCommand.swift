import ArgumentParser
import PurchaseModel
import PurchaseProof

/// Shows the content of a JWS.
struct JWSInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show the content of a JWS without verifying it.",
        discussion: """
            The output contains header, payload and certificates, also of a JWS that is refused. Nothing of it is verified: use \
            `tillroll jws verify` for that.

            Exit codes: 0 the JWS is shown, 1 the input is no JWS, 64 wrong usage.
            """
    )

    @OptionGroup var input: InputArgument
    @OptionGroup(title: "Output") var report: ReportOptions

    func run() async throws {
        StandardStreams.prepare()
        let bytes = try input.source.read()
        let answer: Report
        do throws(Refusal) {
            answer = try Self.report(on: SignedInput(bytes))
        } catch { answer = Report(explanation: VerificationExplanation(error)) }
        try answer.deliver(asJSON: report.json)
    }

    private static func report(on input: SignedInput) throws(Refusal) -> Report {
        let jws = try UnverifiedJWS(input.compact)
        let shown = JWSReport(kind: jws.kind, payload: JSONReader.read(jws.payload), jws: jws)
        var members = [JSONValue.Member("result", .null), JSONValue.Member("verified", false)]
        members.append(JSONValue.Member("wrappings", .array(input.wrappings.map { .string($0) })))
        var header = TextTable()
        if let json = JSONReader.read(jws.header) {
            members.append(JSONValue.Member("header", json))
            if case .object(let all) = json {
                for member in all where member.name != "x5c" {
                    header.add(member.name, member.value.text ?? String(decoding: member.value.bytes, as: UTF8.self))
                }
            }
        }
        header.add("signature", "\(jws.signature.count) bytes")
        return Report(members: members + shown.members, sections: [Report.Section(title: "Header", table: header)] + shown.sections)
    }
}
