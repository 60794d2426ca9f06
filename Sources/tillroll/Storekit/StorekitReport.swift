import LocalAppStore
import PurchaseModel

/// The findings about a `.storekit` file.
struct StorekitReport {
    let findings: [CatalogFinding]
    /// The catalog; nil if the file can't be used.
    let catalog: Catalog?

    /// The first error, for output with room for one only.
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

    /// The findings as text, one per line.
    var findingLines: [String] {
        findings.map { TerminalText.safe($0.description) }
    }

    /// The summary as a line of text.
    func line(_ style: TerminalStyle) -> String {
        if let firstError {
            return
                "\(style.bad("unusable"))  \(style.strong(TerminalText.safe(firstError.path)))  \(TerminalText.safe(firstError.sentence))"
        }
        let count = catalog?.products.count ?? 0
        return "\(style.good("usable"))  \(count) product\(count == 1 ? "" : "s")"
    }
}
