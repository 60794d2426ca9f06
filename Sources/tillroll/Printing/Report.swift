import ArgumentParser
import Crypto
import FoundationExtras
import PurchaseModel
import PurchaseProof
import SwiftASN1
import X509

/// The output of a command that verifies or shows signed data: one JSON object, or a line with the result and tables.
struct Report {
    /// A table of the text output, with its title.
    struct Section {
        var title: String
        var table: TextTable
    }

    /// The verification result, with its steps if they were requested; nil if the command does not verify the data.
    var explanation: VerificationExplanation?
    /// The members of the JSON object that follow the verification result.
    var members: [JSONValue.Member] = []
    /// The tables of the text output that follow the line with the verification result.
    var sections: [Section] = []

    /// Prints the report on standard output, as a JSON object or as text.
    ///
    /// - Throws: The exit code of the verification result, unless the data is verified, or `ExitCode.outputError`.
    func deliver(asJSON: Bool) throws {
        try asJSON ? StandardOutput.bytes(json.bytes + [UInt8(ascii: "\n")]) : StandardOutput.lines(lines(.detected()))
        if let code = explanation?.result.exitCode, code != .success { throw code }
    }

    /// The report as a JSON object.
    var json: JSONValue {
        var members = (explanation?.members ?? []) + members
        if let explanation, !explanation.steps.isEmpty { members.append(JSONValue.Member("steps", explanation.stepsJSON)) }
        return .object(members)
    }

    /// Returns the report as lines of text.
    func lines(_ style: TerminalStyle) -> [String] {
        var lines = [explanation?.line(style) ?? style.warning("not verified: anyone can have created this")]
        for section in sections where !section.table.isEmpty {
            lines += ["", style.strong(TerminalText.safe(section.title))] + section.table.lines(style)
        }
        if let explanation, !explanation.steps.isEmpty { lines += ["", style.strong("Steps")] + explanation.stepLines(style) }
        return lines
    }
}

/// The command-line option for the output format.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print one JSON object instead of tables.")
    var json = false
}

extension VerificationExplanation.Result {
    /// The exit code of a command whose verification has this result.
    var exitCode: ExitCode {
        switch self {
        case .verified: .success
        case .refused: .refused
        case .indeterminate: .indeterminate
        }
    }
}

extension VerificationExplanation {
    /// Creates an explanation of a refusal, without steps.
    init(_ refusal: Refusal) {
        self.init(VerificationFailure.refused(refusal))
    }

    /// The explanation as members of a JSON object, without the steps; members without a value are omitted.
    var members: [JSONValue.Member] {
        var members = [JSONValue.Member("result", .string(result.rawValue))]
        if let reason { members.append(JSONValue.Member("reason", .string(reason))) }
        if let place { members.append(JSONValue.Member("place", .string(place))) }
        if let offset { members.append(JSONValue.Member("offset", .number(offset))) }
        if let message { members.append(JSONValue.Member("message", .string(message))) }
        return members
    }

    /// The verification's steps as a JSON array.
    var stepsJSON: JSONValue {
        .array(
            steps.map { step in
                .object([
                    JSONValue.Member("name", .string(step.name)), JSONValue.Member("observed", .string(step.observed)),
                    JSONValue.Member("rule", .string(step.rule)), JSONValue.Member("status", .string(step.status.rawValue)),
                ])
            })
    }

    /// Returns the verification result, reason and message as a line of text.
    func line(_ style: TerminalStyle) -> String {
        let word =
            switch result {
            case .verified: style.good("verified")
            case .refused: style.bad("refused")
            case .indeterminate: style.warning("indeterminate")
            }
        guard let reason else { return word }
        return "\(word)  \(style.strong(reason))  \(TerminalText.safe(message ?? ""))"
    }

    /// Returns the verification's steps as lines of text, two for each step.
    func stepLines(_ style: TerminalStyle) -> [String] {
        steps.flatMap { step in
            let status = step.status.rawValue.padding(to: 13)
            let word =
                switch step.status {
                case .passed: style.good(status)
                case .failed: style.bad(status)
                case .indeterminate: style.warning(status)
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
    /// Returns the text, padded with spaces to the given number of characters.
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

/// The subject, validity and fingerprint of a certificate.
///
/// The type parses the DER without the certificate library, because the library refuses certificates with the short RSA keys of 2012.
struct CertificateSummary {
    /// The subject's distinguished name; nil if the bytes are not a certificate.
    let name: String?
    private let start: Timestamp?
    private let end: Timestamp?
    /// The SHA-256 of the certificate's DER, as lowercase hexadecimal digits.
    let fingerprint: String

    init(_ bytes: [UInt8]) {
        fingerprint = Hexadecimal.encode(SHA256.hash(data: bytes))
        guard let (subject, validity) = try? Self.read(bytes) else {
            (name, start, end) = (nil, nil, nil)
            return
        }
        name = "\(subject)"
        (start, end) = (validity.first ?? nil, validity.last ?? nil)
    }

    /// Reads the subject and the validity from a certificate of this structure.
    ///
    /// ```
    /// SEQUENCE { SEQUENCE { [0] version, serial, algorithm, issuer, SEQUENCE { from, until }, subject, … } … }
    /// ```
    private static func read(_ bytes: [UInt8]) throws -> (subject: DistinguishedName, validity: [Timestamp?]) {
        try DER.sequence(DER.parse(bytes), identifier: .sequence) { nodes in
            defer { while nodes.next() != nil {} }
            return try DER.sequence(nodes.next().unwrapped(), identifier: .sequence) { nodes in
                defer { while nodes.next() != nil {} }
                // Skip version, serial number, algorithm and issuer.
                for _ in 0..<4 { _ = nodes.next() }
                let validity = try DER.sequence(nodes.next().unwrapped(), identifier: .sequence) { nodes in
                    var times: [Timestamp?] = []
                    while let node = nodes.next() { times.append(time(node)) }
                    return times
                }
                return (try DistinguishedName(derEncoded: nodes.next().unwrapped()), validity)
            }
        }
    }

    private static func time(_ node: ASN1Node) -> Timestamp? {
        if let time = try? UTCTime(derEncoded: node) {
            return text(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
        }
        guard let time = try? GeneralizedTime(derEncoded: node) else { return nil }
        return text(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
    }

    private static func text(_ year: Int, _ month: Int, _ day: Int, _ hours: Int, _ minutes: Int, _ seconds: Int) -> Timestamp? {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = [padded(year, 4), padded(month, 2), padded(day, 2)].joined(separator: "-")
        return Timestamp(rfc3339: "\(date)T\([hours, minutes, seconds].map { padded($0, 2) }.joined(separator: ":"))Z")
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = []
        if let name { members.append(JSONValue.Member("subject", .string(name))) }
        if let start { members.append(JSONValue.Member("notBefore", .string(start.description))) }
        if let end { members.append(JSONValue.Member("notAfter", .string(end.description))) }
        return .object(members + [JSONValue.Member("sha256", .string(fingerprint))])
    }

    /// Returns a section that lists certificates in the given order.
    static func section(_ certificates: [CertificateSummary]) -> Report.Section {
        var table = TextTable(["valid from", "until", "SHA-256", "subject"])
        for certificate in certificates {
            table.add([
                certificate.start?.description ?? "?", certificate.end?.description ?? "?", "\(certificate.fingerprint.prefix(16))…",
                TerminalText.shortened(certificate.name ?? "no certificate", to: 120),
            ])
        }
        return Report.Section(title: "Certificates", table: table)
    }
}

extension ASN1Node? {
    /// Returns the node.
    ///
    /// - Throws: An `ASN1Error` if the node is nil.
    fileprivate func unwrapped() throws -> ASN1Node {
        guard let self else { throw ASN1Error.truncatedASN1Field() }
        return self
    }
}
