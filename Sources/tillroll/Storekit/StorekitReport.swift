import LocalAppStore
import PurchaseModel

/// What there is to say about a `.storekit` file.
struct StorekitReport {
    let findings: [CatalogFinding]
    /// Nil when the file cannot be used.
    let catalog: Catalog?

    /// The error that is named when there is room for one.
    var firstError: CatalogFinding? {
        findings.first { $0.severity == .error }
    }

    /// The object for scripts.
    var json: JSONValue {
        var members = [JSONValue.Member("verdict", firstError == nil ? "usable" : "unusable")]
        if let firstError {
            members.append(JSONValue.Member("place", .string(firstError.path)))
            members.append(JSONValue.Member("sentence", .string(firstError.sentence)))
        }
        if let catalog {
            members.append(JSONValue.Member("storefront", .string(catalog.storefront.countryCode)))
            members.append(JSONValue.Member("products", .number(catalog.products.count)))
        }
        let all = findings.map { finding in
            JSONValue.object([
                JSONValue.Member("severity", .string(finding.severity.rawValue)), JSONValue.Member("place", .string(finding.path)),
                JSONValue.Member("sentence", .string(finding.sentence)),
            ])
        }
        return .object(members + [JSONValue.Member("findings", .array(all))])
    }

    /// The findings for people, one a line.
    var findingLines: [String] {
        findings.map { TerminalText.safe($0.description) }
    }

    /// The verdict for people.
    func line(_ style: TerminalStyle) -> String {
        if let firstError {
            return
                "\(style.bad("unusable"))  \(style.strong(TerminalText.safe(firstError.path)))  \(TerminalText.safe(firstError.sentence))"
        }
        let count = catalog?.products.count ?? 0
        return "\(style.good("usable"))  \(count) product\(count == 1 ? "" : "s")"
    }
}
