import PurchaseModel
import PurchaseProof

/// The tables and members that show a JWS.
struct JWSReport {
    let kind: SignedDataKind?
    let payload: JSONValue?
    /// The parts of the JWS; nil if they can't be parsed or are not shown.
    let jws: UnverifiedJWS?

    /// The members for kind, payload and, if present, certificates.
    var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = [JSONValue.Member("kind", kind.map { .string($0.rawValue) } ?? .null)]
        if let payload { members.append(JSONValue.Member("payload", payload)) }
        if let jws { members.append(JSONValue.Member("certificates", .array(certificates(of: jws).map(\.json)))) }
        return members
    }

    /// The sections for the payload and, if present, the certificates.
    var sections: [Report.Section] {
        var sections = [
            Report.Section(title: kind?.rawValue.replacing("_", with: " ") ?? "payload of no known kind", table: table(of: payload))
        ]
        if let jws { sections.append(CertificateFacts.section(certificates(of: jws))) }
        return sections
    }

    private func certificates(of jws: UnverifiedJWS) -> [CertificateFacts] {
        jws.certificates.map(CertificateFacts.init)
    }

    /// The members of an object; the name of a nested member follows its object's name and a dot.
    private func table(of value: JSONValue?) -> TextTable {
        var table = TextTable()
        for (name, value) in Self.flattened(value, prefix: "") { table.add(name, Self.shown(name, value)) }
        return table
    }

    private static func flattened(_ value: JSONValue?, prefix: String) -> [(String, JSONValue)] {
        guard case .object(let members) = value else { return [] }
        return members.flatMap { member in
            let name = prefix + member.name
            if case .object(let inner) = member.value, !inner.isEmpty { return flattened(member.value, prefix: "\(name).") }
            return [(name, member.value)]
        }
    }

    /// The text of a value in a cell: dates as milliseconds and as readable dates; JWS and lists shortened.
    private static func shown(_ name: String, _ value: JSONValue) -> String {
        switch value {
        case .string(let text): return TerminalText.shortened(text, to: 80)
        case .number(let digits):
            let isDate = name.hasSuffix("Date") || name.hasSuffix("Timestamp")
            guard isDate, let milliseconds = Double(digits), let whole = Int64(exactly: milliseconds.rounded(.down)),
                (0..<4_102_444_800_000).contains(whole)
            else { return digits }
            return "\(digits)  \(Timestamp(milliseconds: whole))"
        default: return TerminalText.shortened(String(decoding: value.bytes, as: UTF8.self), to: 80)
        }
    }
}
