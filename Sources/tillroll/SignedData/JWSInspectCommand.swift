import ArgumentParser
import PurchaseModel
import PurchaseProof

/// Shows what is in a JWS.
struct JWSInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what is in a JWS, without asking who signed it.",
        discussion: """
            Header, payload and certificates are shown as they stand there, of wrong ones, too. Nothing of it is to be believed; \
            `tillroll jws verify` says what a JWS is worth.

            Exit codes: 0 when it could be read, 1 when it is no JWS, 64 wrong usage.
            """
    )

    @OptionGroup var input: InputArgument
    @OptionGroup(title: "Answer") var report: ReportOptions

    func run() async throws {
        StandardStreams.prepare()
        let bytes = try input.source.read()
        var answer: Report
        do throws(Refusal) {
            answer = try Self.report(on: SignedInput(bytes))
        } catch { answer = Report(judgement: Judgement(error)) }
        try answer.deliver(asJSON: report.json)
    }

    private static func report(on input: SignedInput) throws(Refusal) -> Report {
        let jws = try UnverifiedJWS(input.compact)
        let shown = JWSReport(kind: jws.kind, payload: JSONReader.read(jws.payload), jws: jws)
        var members = [JSONValue.Member("verdict", .null), JSONValue.Member("proven", false)]
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
